#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace wick {

/// A list whose items stand in place, without the heap, while they are no more than `Room`: what an op's
/// inputs and the names of one call are. T is made without arguments, and moves.
template <typename T, std::size_t Room>
class SmallVector {
 public:
  SmallVector() = default;
  SmallVector(const SmallVector&) = default;
  SmallVector(SmallVector&& other) noexcept
      : in_place_(std::move(other.in_place_)),
        on_heap_(std::move(other.on_heap_)),
        size_(std::exchange(other.size_, 0)) {}
  SmallVector& operator=(SmallVector other) noexcept {
    in_place_.swap(other.in_place_);
    on_heap_.swap(other.on_heap_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~SmallVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  T* data() { return size_ <= Room ? in_place_.data() : on_heap_.data(); }
  const T* data() const { return size_ <= Room ? in_place_.data() : on_heap_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  /// Precondition: i < size().
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

  void push_back(T item) {
    if (size_ < Room) {
      in_place_[size_] = std::move(item);
    } else {
      if (size_ == Room) {
        on_heap_.assign(std::move_iterator(in_place_.begin()), std::move_iterator(in_place_.end()));
      }
      on_heap_.push_back(std::move(item));
    }
    ++size_;
  }

 private:
  std::array<T, Room> in_place_{};
  std::vector<T> on_heap_;  // all of them, once there is no more room
  std::size_t size_ = 0;
};

}  // namespace wick
