#pragma once

#include <array>
#include <cstdint>

/// The ziggurat under the normal curve exp(-x²/2): 256 layers of equal area, layer 0 the base with the tail,
/// layers 1 to 255 from the top of the curve down to the base.
///
/// The numbers are NumPy's (numpy/random/src/distributions/ziggurat_constants.h, BSD-3-Clause; the notice
/// stands in ziggurat_tables.cpp), because they are figures and cannot be worked out again: they differ from
/// what the published recurrence gives by many units in the last place. Pcg64Rng draws normals from them.
namespace wick::ziggurat {

/// Where the base layer ends and the tail begins, and one over it.
inline constexpr double kBase = 3.6541528853610087963519472518;
inline constexpr double kInverseBase = 0.27366123732975827203338247596;

/// Per layer: a place (52 bits) below this is under the curve for certain.
extern const std::array<std::uint64_t, 256> kInside;
/// Per layer: the layer's width over 2^52, so that place times this is x.
extern const std::array<double, 256> kWidth;
/// Per layer: the curve's value at the layer's outer edge.
extern const std::array<double, 256> kHeight;

}  // namespace wick::ziggurat
