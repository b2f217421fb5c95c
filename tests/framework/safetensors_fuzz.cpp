// The .safetensors reader under libFuzzer: `tools/check fuzz`.

#include <cstdio>
#include <cstdlib>

#include <wick/tests/framework/safetensors_promise.h>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  for (const std::string& broken :
       {wick::broken_safetensors_promise(bytes), wick::broken_safetensors_header_promise(bytes)}) {
    if (broken.empty()) continue;
    std::fprintf(stderr, "%s\n", broken.c_str());
    std::abort();  // which makes libFuzzer keep the input
  }
  return 0;
}
