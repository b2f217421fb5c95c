#pragma once

// Runs the built `wick` as a user would: another process, its own standard streams.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace wick::tools {

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_whole(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

/// A new folder for one test, gone with everything in it at the end.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "wick-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = std::filesystem::canonical(name);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  /// The names of what is in it, sorted.
  std::vector<std::string> names() const { return names_in(path_); }
  static std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

struct Surroundings {
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string folder = "";    ///< where it runs
  std::string in = "";        ///< standard input's content
  std::string out_path = "";  ///< where standard output goes; it is then not captured
  int columns = 0;            ///< of the terminal that standard output is; 0: a file
  bool is_raw = false;        ///< a terminal's output as it came, carriage returns included
  bool is_closed = false;     ///< the terminal, as soon as `meanwhile` has returned: it is the session's own
  bool ignores_sigpipe = false;
  bool ignores_sighup = false;
  bool out_is_closed_pipe = false;
  rlim_t largest_file = RLIM_INFINITY;        ///< in bytes
  std::string program = WICK_COMMAND;         ///< what is run
  std::function<void(pid_t)> meanwhile = {};  ///< called while it runs, with its number
};

struct Outcome {
  int exit_code = -1;  ///< minus the signal that ended it
  std::string out;
  std::string err;
};

namespace run_command_detail {

// What hangs fails. Far above what anything takes: sanitizers are slow, and machines may be busy.
constexpr unsigned kSecondsToHang = 300;

inline int open_or_die(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags, 0600);
  if (file < 0) _exit(125);
  return file;
}

// A terminal of that width: the side of its keyboard and screen, and the side of the program.
inline std::pair<int, int> open_terminal(int columns) {
  const int screen = posix_openpt(O_RDWR | O_NOCTTY);
  grantpt(screen);
  unlockpt(screen);
  const char* name = ptsname(screen);
  const int program = name == nullptr ? -1 : open(name, O_RDWR | O_NOCTTY);
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(columns);
  if (ioctl(program, TIOCSWINSZ, &size) != 0) throw std::runtime_error("no pseudo-terminal");
  return {screen, program};
}

// What a terminal shows, its line ends as the program wrote them unless all is to stay as it came.
inline std::string read_screen(int screen, bool is_raw) {
  std::string text;
  char piece[4096];
  for (ssize_t count = 0;
       (count = read(screen, piece, sizeof(piece))) > 0 || (count < 0 && errno == EINTR);) {
    text.append(piece, count < 0 ? 0 : static_cast<std::size_t>(count));
  }
  if (is_raw) return text;
  std::string lines;
  for (const char character : text) {
    if (character != '\r') lines += character;
  }
  return lines;
}

}  // namespace run_command_detail

/// `wick`, or the other program that is named, with these arguments.
inline Outcome run_wick(const std::vector<std::string>& arguments, const Surroundings& around = {}) {
  using namespace run_command_detail;
  const TestFolder streams;
  write_whole(streams / "in", around.in);
  std::pair<int, int> terminal{-1, -1};
  if (around.columns > 0) terminal = open_terminal(around.columns);

  const pid_t child = fork();
  if (child == 0) {
    const std::string out_path = around.out_path.empty() ? streams / "out" : around.out_path;
    int out = terminal.second;
    if (around.out_is_closed_pipe) {
      int ends[2];
      if (pipe(ends) != 0) _exit(125);
      close(ends[0]);
      out = ends[1];
    } else if (around.columns == 0) {
      out = open_or_die(out_path, O_WRONLY | O_CREAT);
    }
    dup2(open_or_die(streams / "in", O_RDONLY), STDIN_FILENO);
    dup2(open_or_die(streams / "err", O_WRONLY | O_CREAT), STDERR_FILENO);
    dup2(out, STDOUT_FILENO);
    if (terminal.first >= 0) close(terminal.first);
    if (around.is_closed && (setsid() < 0 || ioctl(STDOUT_FILENO, TIOCSCTTY, 0) != 0)) _exit(125);
    std::signal(SIGHUP, around.ignores_sighup ? SIG_IGN : SIG_DFL);
    std::signal(SIGPIPE, around.ignores_sigpipe ? SIG_IGN : SIG_DFL);
    if (around.largest_file != RLIM_INFINITY) {
      const rlimit limit{around.largest_file, around.largest_file};
      setrlimit(RLIMIT_FSIZE, &limit);
      std::signal(SIGXFSZ, SIG_IGN);
    }
    alarm(run_command_detail::kSecondsToHang);
    for (const char* name : {"WICK_ISA", "OMP_NUM_THREADS"}) unsetenv(name);
    for (const auto& [name, value] : around.environment) setenv(name.c_str(), value.c_str(), 1);
    if (!around.folder.empty() && chdir(around.folder.c_str()) != 0) _exit(125);
    std::string command = around.program;
    std::vector<char*> pointers{command.data()};
    std::vector<std::string> copies = arguments;
    for (std::string& copy : copies) pointers.push_back(copy.data());
    pointers.push_back(nullptr);
    execv(command.c_str(), pointers.data());
    _exit(126);
  }

  Outcome outcome;
  if (around.meanwhile) around.meanwhile(child);
  if (around.columns > 0) {
    close(terminal.second);
    if (!around.is_closed) outcome.out = read_screen(terminal.first, around.is_raw);
    close(terminal.first);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  if (around.columns == 0) outcome.out = read_whole(streams / "out");
  outcome.err = read_whole(streams / "err");
  return outcome;
}

/// Its standard output; a failure of the test where it fails, or says anything on standard error.
inline std::string output_of(const std::vector<std::string>& arguments, const Surroundings& around = {}) {
  const Outcome outcome = run_wick(arguments, around);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

/// It fails with this exit code and this line on standard error, and writes nothing to standard output.
inline void expect_refused(const std::vector<std::string>& arguments, int exit_code,
                           const std::string& message, const Surroundings& around = {}) {
  std::string line = "wick";
  for (const std::string& argument : arguments) line += " '" + argument + "'";
  const Outcome outcome = run_wick(arguments, around);
  EXPECT_EQ(outcome.exit_code, exit_code) << line;
  const std::string name = std::filesystem::path(around.program).filename().string();
  EXPECT_EQ(outcome.err, name + ": " + message + "\n") << line;
  EXPECT_EQ(outcome.out, "") << line;
}

}  // namespace wick::tools
