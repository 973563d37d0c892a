/** FakeObject: the base of all fakes of COM objects. */
#pragma once

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>

#include "platform/com_ptr.h"

namespace ndml::test {

/** Ends the process. */
[[noreturn]] inline void Unused(const char* method) {
  std::cout << "there is no fake of " << method << std::endl;
  std::abort();
}

// No method is marked `override`, because each interface has only some of them. DirectML's interfaces require noexcept.
template <typename Interface>
class FakeObject : public Interface {
 public:
  FakeObject() = default;
  FakeObject(const FakeObject&) = delete;
  FakeObject& operator=(const FakeObject&) = delete;

  virtual HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void**) noexcept { return E_NOINTERFACE; }
  virtual ULONG STDMETHODCALLTYPE AddRef() noexcept { return ++references_; }
  virtual ULONG STDMETHODCALLTYPE Release() noexcept {
    const ULONG left = --references_;
    if (left == 0) delete this;
    return left;
  }
  virtual HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) noexcept { Unused("GetPrivateData"); }
  virtual HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) noexcept { Unused("SetPrivateData"); }
  virtual HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, const IUnknown*) noexcept {
    Unused("SetPrivateDataInterface");
  }
  virtual HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, IUnknown*) noexcept {
    Unused("SetPrivateDataInterface");
  }
  virtual HRESULT STDMETHODCALLTYPE SetName(LPCWSTR) noexcept { Unused("SetName"); }
  virtual HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void**) noexcept { Unused("GetDevice"); }

  /** Expires when the object is freed. */
  std::weak_ptr<const void> Life() const { return life_; }

 protected:
  virtual ~FakeObject() = default;

 private:
  std::atomic<ULONG> references_{1};
  std::shared_ptr<const void> life_ = std::make_shared<char>();
};

template <typename Fake, typename... Arguments>
ComPtr<Fake> Make(Arguments&&... arguments) {
  ComPtr<Fake> made;
  *made.PutTyped() = new Fake(std::forward<Arguments>(arguments)...);
  return made;
}

/** Returns a new object through an out-parameter, as COM methods do. */
template <typename Interface>
HRESULT Give(const ComPtr<Interface>& made, void** result) {
  made->AddRef();
  *result = made.Get();
  return S_OK;
}

}  // namespace ndml::test
