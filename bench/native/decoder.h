/** The measured language model: a decoder of the Llama family, with the same step for each token as examples/generate. */
#pragma once

#include <vector>

#include "gpu.h"
#include "graph_builder.h"
#include "steps.h"

namespace bench {

/** The step is recorded once: the choice of a token, its way through all layers, and the copy of it that is read. */
class Decoder {
 public:
  explicit Decoder(Gpu& gpu);
  /** Generates tokens from the first one on, with an empty cache, and reads each before the next. */
  void Run(unsigned tokens);
  /** Generates one token, and returns how long the thread submitted its step, in microseconds. */
  double SubmissionTime();
  /** Returns the tokens of the last run, followed by the logits after it as 32-bit words. */
  std::vector<uint32_t> Result();

 private:
  struct Layer {
    DML_BUFFER_BINDING input_norm, query, key, value, output, middle_norm, gate, up, down;
  };

  DML_BUFFER_BINDING CreateBuffer(const void* data, uint64_t words);
  /** Creates a buffer of zeros. */
  DML_BUFFER_BINDING CreateBuffer(uint64_t words);
  DML_BUFFER_BINDING CreateInteger(int32_t value) { return CreateBuffer(&value, 1); }
  /** The seeds of weights count up. */
  DML_BUFFER_BINDING CreateWeights(UINT rows, UINT columns);
  Layer CreateLayer();
  void CreateRotation();

  void AddChoice();
  void AddBegin(const Layer& first);
  void AddAttention();
  void AddBetween(const Layer& layer, const Layer& next);
  void AddEnd(const Layer& layer);
  void AddAdvance();
  Value FeedForward(GraphBuilder* graph, const Layer& layer, const DML_BUFFER_BINDING& state);
  /** Adds the queries, keys and values of the token whose state is the row `x`. */
  void Project(GraphBuilder* graph, const Value& x, const Value& cosines, const Value& sines, const Layer& layer);

  void RecordStart();
  void RecordStep();

  Gpu& gpu_;
  unsigned next_seed_ = 0;
  std::vector<ComPtr<ID3D12Resource>> buffers_;
  /** The token, how many are in the cache, and the logits of the next. */
  DML_BUFFER_BINDING token_, length_, logits_;
  DML_BUFFER_BINDING zero_, one_, minus_one_;
  DML_BUFFER_BINDING query_, key_, value_, attended_, states_[2];
  /** The tables of the rotation, and their rows for the token. */
  DML_BUFFER_BINDING cosines_, sines_, cosine_, sine_;
  DML_BUFFER_BINDING embeddings_, norm_, head_;
  Steps steps_;
  /** The logits with which a run begins. */
  DML_BUFFER_BINDING first_logits_;
  const uint32_t* read_token_ = nullptr;
  ComPtr<ID3D12Resource> readback_;
  Commands start_;
  Commands step_;
  std::vector<uint32_t> tokens_;
};

}  // namespace bench
