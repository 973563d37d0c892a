/** A frame of 1080p: a BGRA8 texture becomes a tensor of floats from 0 to 1, and the tensor the texture again. */
#pragma once

#include <vector>

#include "gpu.h"
#include "steps.h"

namespace bench {

class Frame {
 public:
  explicit Frame(Gpu& gpu);
  /** Records both conversions, submits them and waits. */
  void Run();
  /** Runs four frames, and returns how long the thread recorded the last one, in microseconds. */
  double RecordingTime();
  /** The texels of the texture. */
  std::vector<uint32_t> Result();

 private:
  void Record(ID3D12GraphicsCommandList* list);
  void AddToTensor();
  void AddToTexels();

  Gpu& gpu_;
  Steps steps_;
  ComPtr<ID3D12Resource> texture_;
  /** Rows of texels: copied from the texture, and to it. */
  ComPtr<ID3D12Resource> before_;
  ComPtr<ID3D12Resource> after_;
  ComPtr<ID3D12Resource> tensor_;
  /** The positions of red, green and blue in a texel. */
  ComPtr<ID3D12Resource> positions_;
};

}  // namespace bench
