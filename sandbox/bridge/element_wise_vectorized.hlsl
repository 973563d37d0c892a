// Stands in for DirectML's shader ElementWiseVectorized, which exists as DXIL only and which Wine's vkd3d
// cannot read. It serves float32 tensors that are packed, equal in shape, and a multiple of 4 elements long.
// Compiled as cs_5_0; each thread computes one float4.
cbuffer Constants : register(b0) {
  uint start;     // first float4
  uint count;     // number of float4s
  uint function;  // in DirectML's order, below
};

RWBuffer<float4> a : register(u0);
RWBuffer<float4> b : register(u1);
RWBuffer<float4> result : register(u2);

[numthreads(256, 1, 1)]
void CSMain(uint3 thread : SV_DispatchThreadID) {
  if (thread.x >= count) {
    return;
  }
  const uint index = start + thread.x;
  const float4 x = a[index];
  const float4 y = b[index];
  float4 value = 0;
  switch (function) {
    case 0: value = x + y; break;
    case 1: value = x - y; break;
    case 2: value = x * y; break;
    case 3: value = x / y; break;
    case 4: value = (x + y) * 0.5f; break;
    case 5: value = (x - y) * (x - y); break;
    case 6: value = min(x, y); break;
    case 7: value = max(x, y); break;
  }
  result[index] = value;
}
