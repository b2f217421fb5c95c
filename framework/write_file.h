#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <vector>

namespace wick {

/// Whether a file is on the disk, so that it outlives the machine's end too, when the function that wrote it
/// returns.
enum class Durability {
  left_to_system,  ///< it will be, some time: as quick as can be
  synced,          ///< waits for the disk: fsync of the file, before it gets its name, and of its folder
};

/// Writes a file that holds these pieces, one after the other: all of it or, where that fails, nothing. It is
/// written under a temporary name in the same folder (.wick-0.tmp, …) and then renamed, so that a file of
/// that name keeps its old content, and readers who have it open keep theirs, until the new one is whole. A
/// link is followed, and an existing file's permissions stay.
///
/// What cannot be replaced, such as a named pipe, /dev/stdout or another device, is written directly.
///
/// Throws FileError with the path and the system's reason.
void write_file(const std::filesystem::path& path, std::initializer_list<std::span<const std::byte>> pieces,
                Durability durability = Durability::left_to_system);

/// A file's name, and what it is to hold.
struct FileContent {
  std::filesystem::path path;
  std::vector<std::span<const std::byte>> pieces;
};

/// Several files, each as by write_file: where one cannot be written, none is. Names are given to the files
/// once all of them are whole, and once what is written directly has been. Precondition: all are different.
void write_files(const std::vector<FileContent>& files, Durability durability = Durability::left_to_system);

/// Waits until the names in a folder are on the disk: of a file or folder that is new there, so that it
/// outlives the machine's end too. A folder that may not be read, and a file system that knows no such thing,
/// is left to the system. Throws FileError with the path and the system's reason.
void sync_folder(const std::filesystem::path& folder);

}  // namespace wick
