#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "errors.h"
#include "small_modules.h"
#include <wick/framework/error.h>
#include <wick/framework/module.h>

namespace wick {
namespace {

template <typename Kind>
class ErrorOf : public testing::Test {};
using Kinds =
    testing::Types<ShapeError, TypeError, IndexError, FormatError, GraphError, ValueError, FileError>;
TYPED_TEST_SUITE(ErrorOf, Kinds);

TYPED_TEST(ErrorOf, IsAnErrorAndKeepsItsMessage) {
  const auto raise = [] { throw TypeParam("what was met"); };
  EXPECT_EQ(error_of<TypeParam>(raise), "what was met");
  EXPECT_EQ(error_of<Error>(raise), "what was met");
  EXPECT_EQ(error_of<std::runtime_error>(raise), "what was met");
}

TYPED_TEST(ErrorOf, IsOfNoOtherKind) {
  const TypeParam error("x");
  const Error* base = &error;
  const int kinds =
      (dynamic_cast<const ShapeError*>(base) != nullptr) + (dynamic_cast<const TypeError*>(base) != nullptr) +
      (dynamic_cast<const IndexError*>(base) != nullptr) +
      (dynamic_cast<const FormatError*>(base) != nullptr) +
      (dynamic_cast<const GraphError*>(base) != nullptr) +
      (dynamic_cast<const ValueError*>(base) != nullptr) + (dynamic_cast<const FileError*>(base) != nullptr);
  EXPECT_EQ(kinds, 1);
}

TYPED_TEST(ErrorOf, OpensWithThePathOfTheModuleThatComputes) {
  const small::Model gpt("gpt");
  EXPECT_STREQ(TypeParam("bad").what(), "bad");
  const ModuleScope scope(gpt.blocks()[2].attention());
  EXPECT_STREQ(TypeParam("bad").what(), "gpt.blocks.2.attention: bad");
}

TEST(Error, CopiedElsewhereKeepsTheMessageThatItHad) {
  const small::Model gpt("gpt");
  std::unique_ptr<ValueError> copy;
  {
    const ModuleScope scope(gpt);
    copy = std::make_unique<ValueError>("bad");
  }
  const small::Model other("other");
  const ModuleScope scope(other);
  EXPECT_STREQ(ValueError(*copy).what(), "gpt: bad");
}

TEST(Error, AUsersOwnKindHasThePathToo) {
  class Own final : public Error {
    using Error::Error;
  };
  const small::Model gpt("gpt");
  const ModuleScope scope(gpt);
  EXPECT_EQ(error_of<Error>([] { throw Own("mine"); }), "gpt: mine");
}

}  // namespace
}  // namespace wick
