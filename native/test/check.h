/**
 * A small framework for unit tests. TEST defines a test, whose name is a statement; EXPECT and EXPECT_EQUAL check values.
 * main.cpp runs all tests.
 */
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "platform/failure.h"

namespace ndml::test {

struct Test {
  const char* file;
  const char* name;
  void (*run)();
};

/** All tests, in the order in which they are run. */
std::vector<Test>& Tests();

struct Registration {
  Registration(const char* file, const char* name, void (*run)()) { Tests().push_back({file, name, run}); }
};

/** Reports that the running test has failed. The test continues. */
void Fail(const std::string& what);

inline std::string Place(const char* file, int line) { return std::string(file) + ":" + std::to_string(line) + ": "; }

template <typename Actual, typename Expected>
void ExpectEqual(const std::string& place, const char* text, const Actual& actual, const Expected& expected) {
  if (actual == expected) return;
  std::ostringstream what;
  what << place << text << " is " << actual << ", not " << expected;
  Fail(what.str());
}

/** Returns the code of the Failure that the function throws; an empty string if it throws none. */
template <typename Function>
std::string ThrownCode(Function function) {
  try {
    function();
  } catch (const Failure& failure) {
    return failure.code();
  }
  return "";
}

}  // namespace ndml::test

#define NDML_JOIN_2(a, b) a##b
#define NDML_JOIN(a, b) NDML_JOIN_2(a, b)

#define TEST(name)                                                                                                    \
  static void NDML_JOIN(Test, __LINE__)();                                                                            \
  static const ndml::test::Registration NDML_JOIN(registration, __LINE__)(__FILE__, name, NDML_JOIN(Test, __LINE__)); \
  static void NDML_JOIN(Test, __LINE__)()

#define EXPECT(condition)                                                                               \
  do {                                                                                                  \
    if (!(condition)) ndml::test::Fail(ndml::test::Place(__FILE__, __LINE__) + #condition " is false"); \
  } while (false)

#define EXPECT_EQUAL(actual, expected) \
  ndml::test::ExpectEqual(ndml::test::Place(__FILE__, __LINE__), #actual, actual, expected)
