#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/write_file.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

void write(const fs::path& path, const std::string& text) {
  write_file(path, {std::as_bytes(std::span(text))});
}

std::string failure(const fs::path& path, const std::string& text = "new") {
  return error_of<FileError>([&] { write(path, text); });
}

// Files longer than this fail with "File too large", as on a full disk.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit before_{};
};

TEST(WriteFile, JoinsThePieces) {
  TemporaryFolder folder;
  const std::string first = "one ";
  const std::string second = "two";
  write_file(folder / "x", {std::as_bytes(std::span(first)), {}, std::as_bytes(std::span(second))});
  EXPECT_EQ(folder.content("x"), to_bytes("one two"));
  write_file(folder / "empty", {});
  EXPECT_EQ(folder.content("empty"), to_bytes(""));
  EXPECT_EQ(folder.names(), (Names{"empty", "x"}));
}

TEST(WriteFile, ReplacesAFileAndKeepsItsPermissions) {
  TemporaryFolder folder;
  write(folder / "x", "a longer old content");
  fs::permissions(folder / "x", fs::perms::owner_read | fs::perms::owner_write);
  std::ifstream reader(folder / "x");
  write(folder / "x", "new");
  EXPECT_EQ(folder.content("x"), to_bytes("new"));
  EXPECT_EQ(fs::status(folder / "x").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  std::string old;
  std::getline(reader, old);
  EXPECT_EQ(old, "a longer old content");
  EXPECT_EQ(folder.names(), Names{"x"});
}

TEST(WriteFile, LeavesTheOldFileWhereItFails) {
  TemporaryFolder folder;
  write(folder / "x", "old");
  const std::string much(100'000, 'x');
  const std::string little(1000, 'x');  // fails only when the file is closed
  {
    const SizeLimit limit(500);
    for (const std::string& text : {much, little}) {
      EXPECT_EQ(failure(folder / "x", text), (folder / "x").string() + ": cannot write: File too large");
      EXPECT_EQ(failure(folder / "y", text), (folder / "y").string() + ": cannot write: File too large");
    }
  }
  EXPECT_EQ(folder.names(), Names{"x"});
  EXPECT_EQ(folder.content("x"), to_bytes("old"));
}

TEST(WriteFile, WritesSeveralFilesOrNone) {
  TemporaryFolder folder;
  write(folder / "x", "old");
  const std::string text = "new";
  const auto content = [&](const fs::path& path) {
    return FileContent{path, {std::as_bytes(std::span(text))}};
  };
  for (const fs::path& wrong : {fs::path("/dev/full"), folder.path(), folder / "no/x"}) {
    const std::vector<FileContent> files{content(folder / "x"), content(wrong), content(folder / "y")};
    EXPECT_NE(error_of<FileError>([&] { write_files(files); }), "");
    EXPECT_EQ(folder.names(), Names{"x"});
    EXPECT_EQ(folder.content("x"), to_bytes("old"));
  }
  write_files({content(folder / "y"), content("/dev/null"), content(folder / "x")});
  EXPECT_EQ(folder.names(), (Names{"x", "y"}));
  EXPECT_EQ(folder.content("x"), to_bytes("new"));
  EXPECT_EQ(folder.content("y"), to_bytes("new"));
}

TEST(WriteFile, PassesOverTemporaryNamesThatAreTaken) {
  TemporaryFolder folder;
  std::ofstream(folder / ".wick-0.tmp") << "somebody's";
  write(folder / "x", "new");
  EXPECT_EQ(folder.names(), (Names{".wick-0.tmp", "x"}));
  EXPECT_EQ(folder.content(".wick-0.tmp"), to_bytes("somebody's"));
}

TEST(WriteFile, FollowsLinks) {
  TemporaryFolder folder;
  fs::create_directory(folder / "there");
  write(folder / "there/x", "old");
  fs::create_symlink("there/x", folder / "link");
  write(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(folder.content("there/x"), to_bytes("new"));

  fs::create_symlink("there/y", folder / "dangling");
  write(folder / "dangling", "newer");
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
  EXPECT_EQ(folder.content("there/y"), to_bytes("newer"));
}

TEST(WriteFile, WritesIntoAPipe) {
  TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::vector<std::byte> received;
  std::thread reader([&] { received = folder.content("pipe"); });
  write(folder / "pipe", std::string(200'000, 'x'));
  reader.join();
  EXPECT_EQ(received, to_bytes(std::string(200'000, 'x')));
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

// As /dev/stdout is where a shell sent it into a file: the descriptor goes on writing to the same file.
TEST(WriteFile, WritesThroughADescriptor) {
  TemporaryFolder folder;
  const int file = ::open((folder / "x").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  ASSERT_GE(file, 0);
  write("/dev/fd/" + std::to_string(file), "new");
  EXPECT_EQ(::write(file, " and more", 9), 9);
  ::close(file);
  EXPECT_EQ(folder.content("x"), to_bytes("new and more"));
}

TEST(WriteFile, Failures) {
  TemporaryFolder folder;
  const std::string path = folder.path().string();
  EXPECT_EQ(failure("/dev/full"), "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(failure(path), path + ": cannot write: Is a directory");
  EXPECT_EQ(failure(path + "/no/x"), path + "/no/x: cannot write: No such file or directory");
  EXPECT_EQ(failure(path + "/no\n/x"), path + "/no\\n/x: cannot write: No such file or directory");
  EXPECT_EQ(failure(std::string("x\0y", 3)), "x\\x00y: cannot write: a file's name holds no zero byte");
  EXPECT_EQ(failure(""), ": cannot write: No such file or directory");
  EXPECT_TRUE(folder.names().empty());
}

TEST(WriteFile, LeavesAFileAloneThatMayNotBeWritten) {
  if (::geteuid() == 0) return;  // who may write everything
  TemporaryFolder folder;
  write(folder / "x", "old");
  fs::permissions(folder / "x", fs::perms::owner_read);
  EXPECT_EQ(failure(folder / "x"), (folder / "x").string() + ": cannot write: Permission denied");
  EXPECT_EQ(folder.content("x"), to_bytes("old"));
  EXPECT_EQ(folder.names(), Names{"x"});
}

}  // namespace
}  // namespace wick
