#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace memmatch::engine {

// A fixed number of zero-initialised elements, aligned to cache lines (and to any vector register).
template <typename T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(::operator new[](size * sizeof(T), kAlignment))), size_(size) {
    std::fill_n(data_.get(), size, T{});
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(T* p) const { ::operator delete[](p, kAlignment); }
  };

  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace memmatch::engine
