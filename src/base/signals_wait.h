#pragma once

#include <pthread.h>
#include <signal.h>

namespace memmatch {

// While this lives, signals to the calling thread wait; those that its own code causes do not.
//
// Around oneDNN's matrix products: a handler called in the midst of the code that dnnl_sgemm
// generates (2.6, AVX-512) spoils the heap. With a stack of its own it does not, so it seems to be
// the handler's frame that lands in a buffer of the product.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t waiting;
    sigfillset(&waiting);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
      sigdelset(&waiting, own);
    pthread_sigmask(SIG_BLOCK, &waiting, &before_);
  }
  ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace memmatch
