/** Failure: the exception that native code throws. addon/values/js_error.h converts it to the NativeError of binding.d.ts. */
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/compat.h"

namespace ndml {

class Failure : public std::exception {
 public:
  Failure(const char* code, std::string message) : code_(code), message_(std::move(message)) {}

  Failure& Field(std::string field) {
    field_ = std::move(field);
    return *this;
  }
  Failure& Call(std::string call, HRESULT result) {
    call_ = std::move(call);
    result_ = result;
    return *this;
  }
  Failure& DebugMessages(std::vector<std::string> messages) {
    debug_messages_ = std::move(messages);
    return *this;
  }

  Failure& Append(const std::string& text) {
    message_ += text;
    return *this;
  }

  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  /** The path of the wrong field; empty if there is none. */
  const std::string& field() const { return field_; }
  /** The system call that failed; empty if none did. */
  const std::string& call() const { return call_; }
  std::optional<HRESULT> result() const { return result_; }
  const std::vector<std::string>& debug_messages() const { return debug_messages_; }
  bool IsDeviceLost() const { return code_ == "ERR_DEVICE_LOST"; }
  bool IsOutOfMemory() const { return code_ == "ERR_OUT_OF_MEMORY"; }

 private:
  std::string code_;
  std::string message_;
  std::string field_;
  std::string call_;
  std::optional<HRESULT> result_;
  std::vector<std::string> debug_messages_;
};

/** Returns the name of a result, such as `E_INVALIDARG`; its number, such as `0x8007ABCD`, if the name is not known. */
std::string HresultName(HRESULT result);

/** True for the results that mean that the device was removed. */
bool IsRemoval(HRESULT result);

/** The failure of a system call: ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY or ERR_NATIVE_CALL, depending on the result. */
Failure CallFailure(const char* call, HRESULT result);

inline void ThrowIfFailed(HRESULT result, const char* call) {
  if (FAILED(result)) throw CallFailure(call, result);
}

std::string ToUtf8(const std::wstring& text);
std::wstring ToWide(const std::string& text);

}  // namespace ndml
