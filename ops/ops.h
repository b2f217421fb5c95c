#pragma once

// Every op.

#include <wick/ops/add.h>
#include <wick/ops/argmax.h>
#include <wick/ops/attention.h>
#include <wick/ops/concat.h>
#include <wick/ops/cross_entropy.h>
#include <wick/ops/divide.h>
#include <wick/ops/dropout.h>
#include <wick/ops/embedding.h>
#include <wick/ops/expand.h>
#include <wick/ops/gelu.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/layer_norm.h>
#include <wick/ops/linear.h>
#include <wick/ops/mask.h>
#include <wick/ops/matmul.h>
#include <wick/ops/mean.h>
#include <wick/ops/mul.h>
#include <wick/ops/operators.h>
#include <wick/ops/optimizer_steps.h>
#include <wick/ops/packed_attention.h>
#include <wick/ops/reshape.h>
#include <wick/ops/scale.h>
#include <wick/ops/slice.h>
#include <wick/ops/softmax.h>
#include <wick/ops/subtract.h>
#include <wick/ops/sum.h>
#include <wick/ops/transpose.h>
