/**
 * Runs all tests. For each test, it prints a line `test ROOM: NAME`, then a line for each check that failed, then `end`. A
 * test without an `end` has ended the process.
 */
#include <exception>
#include <iostream>

#include "test/check.h"

namespace ndml::test {

namespace {

std::string RoomOf(const std::string& file) {
  const size_t begin = file.find_last_of("/\\") + 1;
  return file.substr(begin, file.rfind("_test.cpp") - begin);
}

bool failed = false;

void Run(const Test& test) {
  std::cout << "test " << RoomOf(test.file) << ": " << test.name << std::endl;
  try {
    test.run();
  } catch (const std::exception& error) {
    Fail(std::string("it threw: ") + error.what());
  }
  std::cout << "end" << std::endl;
}

/** Ends the process without a dialog. */
LONG WINAPI EndProcess(EXCEPTION_POINTERS*) { return EXCEPTION_EXECUTE_HANDLER; }

}  // namespace

std::vector<Test>& Tests() {
  static std::vector<Test> tests;
  return tests;
}

void Fail(const std::string& what) {
  failed = true;
  std::cout << what << std::endl;
}

}  // namespace ndml::test

int main() {
  ::SetUnhandledExceptionFilter(ndml::test::EndProcess);
  for (const ndml::test::Test& test : ndml::test::Tests()) ndml::test::Run(test);
  return ndml::test::failed ? 1 : 0;
}
