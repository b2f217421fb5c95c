#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <wick/framework/named_tensor.h>

namespace wick {

/// What a .safetensors file holds.
struct SafetensorsFile {
  std::vector<NamedTensor> tensors;  ///< in the order of their bytes in the file
  std::map<std::string, std::string> metadata;
};

/// Reads a .safetensors file: named tensors, and a map of texts. Eight bytes give the length of a header in
/// JSON, which says of every tensor its type, its shape and where its bytes begin and end; those follow.
///
/// | dtype in the file | tensor  |                                  |
/// |-------------------|---------|----------------------------------|
/// | F32               | float32 | to the bit, NaNs too             |
/// | F64               | float64 | to the bit, NaNs too             |
/// | I64               | int64   |                                  |
/// | BOOL              | boolean | a byte other than 0 and 1 is an error |
///
/// Other types (BF16, F16, I32, …) are an error that names them.
///
/// Throws FormatError, naming the file, what was met and what was expected, for whatever is wrong with the
/// content: a header beyond 100 MB (100,000,000 bytes, the format's own limit), that is no JSON or not an
/// object, that has a key twice on any level, or anything in it that is not the format's; shapes whose
/// product or bytes do not fit in 64 bits; tensors whose bytes are not as many as shape and type need,
/// overlap, leave holes, end before they begin or lie outside of the file; bytes that belong to none. Memory
/// for tensors is taken only after all this was checked against the size of the file, for the header only
/// what the file has; from a pipe, as data arrives. Throws FileError, with the system's reason, where the
/// file cannot be opened or read.
SafetensorsFile load_safetensors(const std::filesystem::path& path);

/// Writes such a file: tensors of 8-byte elements first, then of 4, then of 1, otherwise in the order given,
/// so that every element lies at a multiple of its own size although the format has no gaps; the header is
/// padded with spaces until the data begins at a multiple of 8. Any view may be given.
///
/// The file is there whole or not at all, and on the disk (see write_file, Durability::synced). Throws
/// FileError with the system's reason; TypeError where a tensor is undefined; ValueError where a name comes
/// twice, is
/// "__metadata__" (the format's own), or it or a text of the metadata is not UTF-8.
void save_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata = {});

/// The same from bytes in memory; `name` opens the messages of errors.
SafetensorsFile decode_safetensors(std::span<const std::byte> bytes, const std::string& name = "safetensors");

/// The bytes that save_safetensors writes.
std::vector<std::byte> encode_safetensors(const std::vector<NamedTensor>& tensors,
                                          const std::map<std::string, std::string>& metadata = {});

}  // namespace wick
