// What waits for the disk, and in which order.

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/write_file.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/framework/errors.h>
#include <wick/tests/framework/watched_fsync.h>

namespace wick {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text, Durability durability) {
  write_file(path, {std::as_bytes(std::span(text))}, durability);
}

TEST(WriteFileSync, TheFileBeforeItHasItsNameThenTheFolder) {
  TemporaryFolder folder;
  write(folder / "x", "old", Durability::left_to_system);
  std::vector<std::string> synced;
  std::vector<std::string> contents;
  const FsyncWatch watch([&](const fs::path& path) {
    synced.push_back(path.filename().string());
    const std::vector<std::byte> bytes = folder.content("x");
    contents.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (path.extension() == ".tmp") {
      EXPECT_EQ(folder.content(path.filename().string()), to_bytes("new"))
          << "not all of it was there to sync";
    }
    return 0;
  });
  write(folder / "x", "new", Durability::synced);
  EXPECT_EQ(synced, (std::vector<std::string>{".wick-0.tmp", folder.path().filename().string()}));
  EXPECT_EQ(contents, (std::vector<std::string>{"old", "new"}));
}

TEST(WriteFileSync, NothingUnlessAsked) {
  TemporaryFolder folder;
  int synced = 0;
  const FsyncWatch watch([&](const fs::path&) {
    ++synced;
    return 0;
  });
  write(folder / "x", "new", Durability::left_to_system);
  EXPECT_EQ(synced, 0);
}

TEST(WriteFileSync, AFailureLeavesTheOldFile) {
  TemporaryFolder folder;
  write(folder / "x", "old", Durability::left_to_system);
  const FsyncWatch watch([](const fs::path&) { return EIO; });
  EXPECT_EQ(error_of<FileError>([&] { write(folder / "x", "new", Durability::synced); }),
            (folder / "x").string() + ": cannot write: Input/output error");
  EXPECT_EQ(folder.content("x"), to_bytes("old"));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x"});
}

TEST(WriteFileSync, AFoldersFailureIsTold) {
  TemporaryFolder folder;
  int error = EIO;
  const FsyncWatch watch(
      [&](const fs::path& path) { return path == fs::canonical(folder.path()) ? error : 0; });
  EXPECT_EQ(error_of<FileError>([&] { write(folder / "x", "new", Durability::synced); }),
            (folder / "x").string() + ": cannot write: Input/output error");
  error = EINVAL;  // a file system that cannot
  write(folder / "x", "newer", Durability::synced);
  EXPECT_EQ(folder.content("x"), to_bytes("newer"));
}

TEST(WriteFileSync, AFolderByItself) {
  TemporaryFolder folder;
  std::vector<fs::path> synced;
  int error = 0;
  const FsyncWatch watch([&](const fs::path& path) {
    synced.push_back(path);
    return error;
  });
  sync_folder(folder.path());
  EXPECT_EQ(synced, std::vector<fs::path>{fs::canonical(folder.path())});
  sync_folder(folder / "none");
  error = EINVAL;  // a file system that cannot
  sync_folder(folder.path());
  error = EIO;
  EXPECT_EQ(error_of<FileError>([&] { sync_folder(folder.path()); }),
            folder.path().string() + ": cannot write: Input/output error");
}

}  // namespace
}  // namespace wick
