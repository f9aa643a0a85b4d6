#pragma once

#include <pthread.h>
#include <signal.h>

namespace memmatch {

// While this lives, signals to the calling thread wait; those that its own code causes do not.
//
// Around oneDNN's matrix products: the code that dnnl_sgemm (2.6, AVX-512) generates lets the stack
// pointer point into its heap buffer for a while, and a handler called just then would write its
// frame there.
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
