#pragma once

#include <exception>
#include <string>

namespace wick {

/// What an error of exactly this class says; otherwise a text that no test expects.
template <typename Expected, typename Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another error: ") + error.what();
  }
  return "no error";
}

}  // namespace wick
