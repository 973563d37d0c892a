#include "decoder.h"

#include <cmath>
#include <cstring>

#include "copy.h"

namespace bench {

namespace {

// The same model as in decoding.mjs.
constexpr UINT kWidth = 64, kHeads = 4, kKeyValueHeads = 2, kHeadSize = 16, kHidden = 128, kVocabulary = 256;
constexpr UINT kKeyValueWidth = kKeyValueHeads * kHeadSize, kHalf = kHeadSize / 2, kContext = 256;
constexpr UINT kFirstToken = 1;
constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32, kInt = DML_TENSOR_DATA_TYPE_INT32;

/** Rotates both halves of each head against each other. */
Value Rotate(GraphBuilder* graph, const Value& x, const Value& cosines, const Value& sines) {
  const Value halves = x.As({1, x.sizes[1] / kHeadSize, 2, kHalf});
  return graph->Add(graph->Multiply(halves, cosines.As(halves.sizes, {kHalf, 0, 0, 1})),
                    graph->Multiply(graph->SwapHalves(halves), sines.As(halves.sizes, {kHeadSize, 0, kHalf, 1})));
}

}  // namespace

Decoder::Decoder(Gpu& gpu) : gpu_(gpu), steps_(gpu) {
  const Layer layers[] = {CreateLayer(), CreateLayer()};
  embeddings_ = CreateWeights(kVocabulary, kWidth);
  norm_ = CreateWeights(1, kWidth);
  head_ = CreateWeights(kVocabulary, kWidth);
  CreateRotation();
  token_ = CreateInteger(0);
  length_ = CreateInteger(0);
  zero_ = CreateInteger(0);
  one_ = CreateInteger(1);
  minus_one_ = CreateInteger(-1);
  logits_ = CreateBuffer(kVocabulary);
  query_ = CreateBuffer(kWidth);
  key_ = CreateBuffer(kKeyValueWidth);
  value_ = CreateBuffer(kKeyValueWidth);
  attended_ = CreateBuffer(kWidth);
  for (DML_BUFFER_BINDING& state : states_) state = CreateBuffer(kWidth);

  AddChoice();
  AddBegin(layers[0]);
  AddAttention();
  AddBetween(layers[0], layers[1]);
  AddAttention();
  AddEnd(layers[1]);
  AddAdvance();
  steps_.Prepare();
  RecordStart();
  RecordStep();
}

void Decoder::Run(unsigned tokens) {
  tokens_.clear();
  gpu_.Submit(start_.list.Get());
  for (unsigned i = 0; i < tokens; ++i) {
    gpu_.Execute(step_.list.Get());
    tokens_.push_back(*read_token_);
  }
}

double Decoder::SubmissionTime() {
  gpu_.Execute(start_.list.Get());
  const double time = Microseconds([&] { gpu_.Submit(step_.list.Get()); });
  gpu_.Wait();
  return time;
}

std::vector<uint32_t> Decoder::Result() {
  std::vector<uint32_t> words = tokens_;
  for (const uint32_t logit : ReadWords(gpu_, logits_.Buffer, logits_.SizeInBytes)) words.push_back(logit);
  return words;
}

DML_BUFFER_BINDING Decoder::CreateBuffer(const void* data, uint64_t words) {
  const uint64_t size = 4 * words;
  buffers_.push_back(gpu_.CreateBuffer(size, Memory::kDevice));
  UploadWords(gpu_, buffers_.back().Get(), data, size);
  return {buffers_.back().Get(), 0, size};
}

DML_BUFFER_BINDING Decoder::CreateBuffer(uint64_t words) {
  return CreateBuffer(std::vector<float>(static_cast<size_t>(words)).data(), words);
}

DML_BUFFER_BINDING Decoder::CreateWeights(UINT rows, UINT columns) {
  std::vector<float> values(rows * columns);
  const uint32_t seed = next_seed_++;
  for (uint32_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((7 * i + seed) % 67) / 128.0f - 0.25f;
  return CreateBuffer(values.data(), values.size());
}

Decoder::Layer Decoder::CreateLayer() {
  return {CreateWeights(1, kWidth),
          CreateWeights(kWidth, kWidth),
          CreateWeights(kKeyValueWidth, kWidth),
          CreateWeights(kKeyValueWidth, kWidth),
          CreateWeights(kWidth, kWidth),
          CreateWeights(1, kWidth),
          CreateWeights(kHidden, kWidth),
          CreateWeights(kHidden, kWidth),
          CreateWeights(kWidth, kHidden)};
}

void Decoder::CreateRotation() {
  std::vector<float> cosines, sines;
  for (UINT position = 0; position < kContext; ++position) {
    for (UINT i = 0; i < kHeadSize; ++i) {
      const double angle = std::pow(10'000.0, -static_cast<double>(i % kHalf) / kHalf) * position;
      if (i < kHalf) cosines.push_back(static_cast<float>(std::cos(angle)));
      sines.push_back(static_cast<float>(i < kHalf ? -std::sin(angle) : std::sin(angle)));
    }
  }
  cosines_ = CreateBuffer(cosines.data(), cosines.size());
  sines_ = CreateBuffer(sines.data(), sines.size());
  cosine_ = CreateBuffer(kHalf);
  sine_ = CreateBuffer(kHeadSize);
}

void Decoder::AddChoice() {
  GraphBuilder graph(gpu_);
  graph.Output(graph.Argmax(graph.Input(logits_, {1, kVocabulary})), token_);
  graph.AddTo(steps_);
}

void Decoder::AddBegin(const Layer& first) {
  GraphBuilder graph(gpu_);
  const Value x = graph.Rows(graph.Input(embeddings_, {kVocabulary, kWidth}),
                             graph.Input(token_, {1, 1}, DML_TENSOR_DATA_TYPE_UINT32));
  const Value positions =
      graph.Add(graph.Input(zero_, {1, 1}, kInt), graph.Input(length_, {1}, kInt).As({1, 1}, {0, 1}));
  const Value cosines = graph.Rows(graph.Input(cosines_, {kContext, kHalf}), positions);
  const Value sines = graph.Rows(graph.Input(sines_, {kContext, kHeadSize}), positions);
  graph.Output(x, states_[0]);
  graph.Output(cosines, cosine_);
  graph.Output(sines, sine_);
  Project(&graph, x, cosines, sines, first);
  graph.AddTo(steps_);
}

void Decoder::AddAttention() {
  const Value wide = {kFloat, {1, 1, kWidth}};
  const Value narrow = {kFloat, {1, 1, kKeyValueWidth}};
  const Value past = {kInt, {1}};
  const Value cache = {kFloat, {1, kKeyValueHeads, kContext, kHeadSize}};
  const ValueDesc query(wide), key(narrow), length(past), present(cache);
  DML_MULTIHEAD_ATTENTION1_OPERATOR_DESC desc = {};
  desc.QueryTensor = query.Get();
  desc.KeyTensor = key.Get();
  desc.ValueTensor = key.Get();
  desc.PastSequenceLengthsTensor = length.Get();
  desc.OutputTensor = query.Get();
  desc.OutputPresentKeyTensor = present.Get();
  desc.OutputPresentValueTensor = present.Get();
  desc.Scale = 1 / std::sqrt(static_cast<float>(kHeadSize));
  desc.MaskFilterValue = -10'000.0f;
  desc.QueryHeadCount = kHeads;
  desc.KeyValueHeadCount = kKeyValueHeads;
  desc.MaskType = DML_MULTIHEAD_ATTENTION_MASK_TYPE_NONE;
  constexpr uint64_t cache_words = uint64_t{kKeyValueHeads} * kContext * kHeadSize;
  Steps::Buffers inputs(12);
  inputs[0] = query_;
  inputs[1] = key_;
  inputs[2] = value_;
  inputs[11] = length_;
  steps_.Add({DML_OPERATOR_MULTIHEAD_ATTENTION1, &desc}, inputs,
             {attended_, CreateBuffer(cache_words), CreateBuffer(cache_words)});
}

void Decoder::AddBetween(const Layer& layer, const Layer& next) {
  GraphBuilder graph(gpu_);
  const Value x = FeedForward(&graph, layer, states_[0]);
  graph.Output(x, states_[1]);
  Project(&graph, x, graph.Input(cosine_, {1, kHalf}), graph.Input(sine_, {1, kHeadSize}), next);
  graph.AddTo(steps_);
}

void Decoder::AddEnd(const Layer& layer) {
  GraphBuilder graph(gpu_);
  const Value x = FeedForward(&graph, layer, states_[1]);
  const Value index = graph.Add(graph.Input(one_, {1, 1}, kInt), graph.Input(minus_one_, {1}, kInt).As({1, 1}, {0, 1}));
  const Value normal = graph.RmsNorm(graph.Rows(x, index), graph.Input(norm_, {1, kWidth}));
  graph.Output(graph.Cast(graph.Linear(normal, graph.Input(head_, {kVocabulary, kWidth})), kFloat), logits_);
  graph.AddTo(steps_);
}

void Decoder::AddAdvance() {
  const Value integer = {kInt, {1}};
  const ValueDesc tensor(integer);
  const DML_ELEMENT_WISE_ADD_OPERATOR_DESC desc = {tensor.Get(), tensor.Get(), tensor.Get()};
  steps_.Add({DML_OPERATOR_ELEMENT_WISE_ADD, &desc}, {length_, one_}, {length_});
}

Value Decoder::FeedForward(GraphBuilder* graph, const Layer& layer, const DML_BUFFER_BINDING& state) {
  const Value x = graph->Input(state, {1, kWidth});
  const Value attended = graph->Input(attended_, {1, kWidth});
  const Value middle = graph->Linear(attended, graph->Input(layer.output, {kWidth, kWidth}), &x);
  const Value normal = graph->RmsNorm(middle, graph->Input(layer.middle_norm, {1, kWidth}));
  const Value gate = graph->Linear(normal, graph->Input(layer.gate, {kHidden, kWidth}));
  const Value up = graph->Linear(normal, graph->Input(layer.up, {kHidden, kWidth}));
  const Value gated = graph->Multiply(graph->Swish(gate), up);
  return graph->Linear(gated, graph->Input(layer.down, {kWidth, kHidden}), &middle);
}

void Decoder::Project(GraphBuilder* graph, const Value& x, const Value& cosines, const Value& sines,
                      const Layer& layer) {
  const Value normal = graph->RmsNorm(x, graph->Input(layer.input_norm, {1, kWidth}));
  const Value query = graph->Linear(normal, graph->Input(layer.query, {kWidth, kWidth}));
  const Value key = graph->Linear(normal, graph->Input(layer.key, {kKeyValueWidth, kWidth}));
  const Value value = graph->Linear(normal, graph->Input(layer.value, {kKeyValueWidth, kWidth}));
  graph->Output(Rotate(graph, query, cosines, sines), query_);
  graph->Output(Rotate(graph, key, cosines, sines), key_);
  graph->Output(value, value_);
}

void Decoder::RecordStart() {
  std::vector<float> logits(kVocabulary);
  logits[kFirstToken] = 1;
  first_logits_ = CreateBuffer(logits.data(), kVocabulary);
  start_ = gpu_.CreateCommands();
  start_.list->CopyBufferRegion(length_.Buffer, 0, zero_.Buffer, 0, length_.SizeInBytes);
  start_.list->CopyBufferRegion(logits_.Buffer, 0, first_logits_.Buffer, 0, logits_.SizeInBytes);
  Check(start_.list->Close(), "ID3D12GraphicsCommandList::Close");
}

void Decoder::RecordStep() {
  void* mapped = nullptr;
  readback_ = gpu_.CreateBuffer(token_.SizeInBytes, Memory::kReadback, &mapped);
  read_token_ = static_cast<const uint32_t*>(mapped);
  step_ = gpu_.CreateCommands();
  steps_.Record(step_.list.Get());
  const D3D12_RESOURCE_BARRIER barrier =
      Transition(token_.Buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
  step_.list->ResourceBarrier(1, &barrier);
  step_.list->CopyBufferRegion(readback_.Get(), 0, token_.Buffer, 0, token_.SizeInBytes);
  Check(step_.list->Close(), "ID3D12GraphicsCommandList::Close");
}

}  // namespace bench
