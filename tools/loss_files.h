#pragma once

#include <string>
#include <vector>

#include <wick/models/training/checkpoint.h>

namespace wick::tools {

/// `step,train_loss,val_loss` and a line for each step, the third field empty where there was no validation.
/// The shortest digits that read back as the same float32 (training) and float64 (validation).
std::string loss_csv(const std::vector<StepLosses>& losses);

/// The two curves as a picture, in SVG: nats a character over steps. However many steps there are, a training
/// curve has no more points than can be told apart. Losses that are not finite are left out.
std::string loss_svg(const std::vector<StepLosses>& losses);

}  // namespace wick::tools
