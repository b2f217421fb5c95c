#pragma once

// What the tests of `wick train` share: runs small enough for a test, and looking into what they leave.

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <wick/tests/tools/run_command.h>

namespace wick::tools {

/// A run of a small GPT, with dropout so that every stream is drawn from. Options in `more` count instead of
/// its own.
inline std::vector<std::string> small_run(const std::vector<std::string>& more) {
  const std::vector<std::pair<std::string, std::string>> own{
      {"--steps", "40"},      {"--batch", "4"},       {"--block-size", "8"}, {"--n-embd", "8"},
      {"--n-head", "2"},      {"--n-layer", "1"},     {"--warmup", "5"},     {"--dropout", "0.1"},
      {"--eval-every", "10"}, {"--sample-every", "0"}};
  std::vector<std::string> arguments{"train"};
  for (const auto& [option, value] : own) {
    if (std::find(more.begin(), more.end(), option) != more.end()) continue;
    arguments.insert(arguments.end(), {option, value});
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// `wick train --resume` with this folder.
inline std::vector<std::string> resumed(const std::string& folder,
                                        const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"train", "--resume", folder};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// The steps that a run has saved.
inline std::size_t steps_in(const std::string& folder) {
  return lines_of(read_whole(folder + "/loss.csv")).size() - 1;
}

/// Sends a signal once so many steps are in a folder's loss.csv.
inline std::function<void(pid_t)> signal_after(const std::string& folder, std::size_t step, int signal) {
  return [=](pid_t process) {
    for (int i = 0; i < 20000; ++i) {
      if (lines_of(read_whole(folder + "/loss.csv")).size() > step) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(process, signal);
  };
}

/// Two runs left the same bytes.
inline void expect_same_files(const std::string& left, const std::string& right) {
  EXPECT_EQ(TestFolder::names_in(left), TestFolder::names_in(right));
  for (const std::string& name : TestFolder::names_in(left)) {
    EXPECT_TRUE(read_whole(left + "/" + name) == read_whole(right + "/" + name)) << name;
  }
}

}  // namespace wick::tools
