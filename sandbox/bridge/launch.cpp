// launch.exe REPORT COMMAND…: runs a Windows program and writes its whole 32-bit exit code to the file REPORT,
// in hexadecimal. Linux keeps only 8 bits of an exit code, and a crash such as 0xC0000409 needs all of them.
// The program inherits the standard handles, and gets its part of the command line unchanged.
#include <windows.h>

#include <cstdio>

namespace {

// Steps over one argument of a command line, by the rules of CommandLineToArgvW: an odd number of backslashes before a quote
// makes it part of the argument.
wchar_t* SkipArgument(wchar_t* text) {
  bool quoted = false;
  bool escaped = false;
  for (; *text != 0 && (quoted || (*text != L' ' && *text != L'\t')); ++text) {
    if (*text == L'"' && !escaped) quoted = !quoted;
    escaped = *text == L'\\' && !escaped;
  }
  while (*text == L' ' || *text == L'\t') ++text;
  return text;
}

void Report(const wchar_t* path, const char* what, DWORD number) {
  char line[64];
  const int length = std::snprintf(line, sizeof line, "%s 0x%08lX\n", what, number);
  const HANDLE file = CreateFileW(path, GENERIC_WRITE, FILE_SHARE_READ, nullptr, CREATE_ALWAYS, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) return;
  DWORD written = 0;
  WriteFile(file, line, static_cast<DWORD>(length), &written, nullptr);
  CloseHandle(file);
}

}  // namespace

int wmain(int count, wchar_t** arguments) {
  if (count < 3) return 2;
  wchar_t* command = SkipArgument(SkipArgument(GetCommandLineW()));

  // A crash ends the program at once, without a dialog that waits for a user.
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);

  // When this process is killed, its job is closed, which ends all processes that it started.
  const HANDLE job = CreateJobObjectW(nullptr, nullptr);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);

  STARTUPINFOW startup = {};
  startup.cb = sizeof startup;
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  startup.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  PROCESS_INFORMATION process = {};
  if (!CreateProcessW(arguments[2], command, nullptr, nullptr, TRUE, CREATE_SUSPENDED, nullptr, nullptr, &startup,
                      &process)) {
    Report(arguments[1], "not-started", GetLastError());
    return 1;
  }
  AssignProcessToJobObject(job, process.hProcess);
  ResumeThread(process.hThread);
  WaitForSingleObject(process.hProcess, INFINITE);
  DWORD code = 1;
  GetExitCodeProcess(process.hProcess, &code);
  Report(arguments[1], "ended", code);
  return static_cast<int>(code);
}
