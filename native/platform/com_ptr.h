/** Owning pointers: ComPtr for COM objects, UniqueHandle for kernel handles. */
#pragma once

#include <utility>

#include "compat.h"

namespace ndml {

template <typename T>
class ComPtr {
 public:
  ComPtr() = default;
  ComPtr(std::nullptr_t) {}
  /** Adds a reference. */
  explicit ComPtr(T* object) : object_(object) {
    if (object_ != nullptr) object_->AddRef();
  }
  ComPtr(const ComPtr& other) : ComPtr(other.object_) {}
  ComPtr(ComPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ~ComPtr() { Reset(); }

  ComPtr& operator=(ComPtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  T* Get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

  void Reset() {
    if (T* object = std::exchange(object_, nullptr)) object->Release();
  }

  /** For out-parameters. Releases the previous object first. */
  void** Put() {
    Reset();
    return reinterpret_cast<void**>(&object_);
  }
  T** PutTyped() {
    Reset();
    return &object_;
  }

  /** Null if the object does not have the interface. */
  template <typename Other>
  ComPtr<Other> As() const {
    ComPtr<Other> other;
    if (object_ == nullptr || FAILED(object_->QueryInterface(Iid<Other>::value, other.Put()))) return nullptr;
    return other;
  }

 private:
  T* object_ = nullptr;
};

class UniqueHandle {
 public:
  UniqueHandle() = default;
  explicit UniqueHandle(HANDLE handle) : handle_(handle) {}
  UniqueHandle(UniqueHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  UniqueHandle(const UniqueHandle&) = delete;
  UniqueHandle& operator=(const UniqueHandle&) = delete;
  ~UniqueHandle() {
    if (handle_ != nullptr) ::CloseHandle(handle_);
  }
  HANDLE Get() const { return handle_; }

 private:
  HANDLE handle_ = nullptr;
};

}  // namespace ndml
