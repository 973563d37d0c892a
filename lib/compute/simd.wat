;; What the reference backend computes by SIMD; `npm run generate` assembles this. simd.ts holds the memory. Results equal those
;; of the kernels in TypeScript bit by bit: each lane computes what one number of theirs does, in the same order.
(module
  (memory (export "memory") 1)

  ;; Matrix products. matrix-tiles.ts describes the layouts. Each element is summed from the first term to the last. A tile has 4
  ;; rows. Its columns fill two vectors: 4 columns of f64, or 8 of f32.

  ;; Rearranges a block, rows of 32 f64, into panels of 4 columns.
  (func (export "packFloat64") (param $from i32) (param $length i32) (param $panels i32) (param $to i32)
    (local $at i32) (local $end i32)
    (loop $panel
      (local.set $at (local.get $from))
      (local.set $end (i32.add (local.get $to) (i32.shl (local.get $length) (i32.const 5))))
      (loop $term
        (v128.store (local.get $to) (v128.load (local.get $at)))
        (v128.store offset=16 (local.get $to) (v128.load offset=16 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 256)))
        (br_if $term (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 32))) (local.get $end))))
      (local.set $from (i32.add (local.get $from) (i32.const 32)))
      (br_if $panel (local.tee $panels (i32.sub (local.get $panels) (i32.const 1))))))

  ;; Rounds a block to f32 and rearranges it into panels of 8 columns.
  (func (export "packFloat32") (param $from i32) (param $length i32) (param $panels i32) (param $to i32)
    (local $at i32) (local $end i32)
    (loop $panel
      (local.set $at (local.get $from))
      (local.set $end (i32.add (local.get $to) (i32.shl (local.get $length) (i32.const 5))))
      (loop $term
        (v128.store64_lane 0 (local.get $to) (f32x4.demote_f64x2_zero (v128.load (local.get $at))))
        (v128.store64_lane offset=8 0 (local.get $to) (f32x4.demote_f64x2_zero (v128.load offset=16 (local.get $at))))
        (v128.store64_lane offset=16 0 (local.get $to) (f32x4.demote_f64x2_zero (v128.load offset=32 (local.get $at))))
        (v128.store64_lane offset=24 0 (local.get $to) (f32x4.demote_f64x2_zero (v128.load offset=48 (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 256)))
        (br_if $term (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 32))) (local.get $end))))
      (local.set $from (i32.add (local.get $from) (i32.const 64)))
      (br_if $panel (local.tee $panels (i32.sub (local.get $panels) (i32.const 1))))))

  ;; Multiplies all tiles of rows by all panels. The products are rows of 32 elements.
  (func (export "multiply") (param $tiles i32) (param $tileCount i32) (param $panels i32) (param $panelCount i32)
      (param $length i32) (param $to i32) (param $isFloat32 i32)
    (local $tile i32) (local $end i32) (local $at i32)
    (loop $panel
      (local.set $tile (local.get $tiles))
      (local.set $at (local.get $to))
      (local.set $end (i32.add (local.get $to) (i32.shl (local.get $tileCount)
        (select (i32.const 9) (i32.const 10) (local.get $isFloat32)))))
      (loop $row
        (if (local.get $isFloat32)
          (then
            (call $tileFloat32 (local.get $tile) (local.get $panels) (local.get $length) (local.get $at))
            (local.set $tile (i32.add (local.get $tile) (i32.shl (local.get $length) (i32.const 4))))
            (local.set $at (i32.add (local.get $at) (i32.const 512))))
          (else
            (call $tileFloat64 (local.get $tile) (local.get $panels) (local.get $length) (local.get $at))
            (local.set $tile (i32.add (local.get $tile) (i32.shl (local.get $length) (i32.const 5))))
            (local.set $at (i32.add (local.get $at) (i32.const 1024)))))
        (br_if $row (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $panels (i32.add (local.get $panels) (i32.shl (local.get $length) (i32.const 5))))
      (local.set $to (i32.add (local.get $to) (i32.const 32)))
      (br_if $panel (local.tee $panelCount (i32.sub (local.get $panelCount) (i32.const 1))))))

  ;; A function of its own: an engine optimizes it while the loops above are still running.
  (func $tileFloat64 (param $rows i32) (param $panel i32) (param $length i32) (param $to i32)
    (local $end i32) (local $x v128) (local $y v128) (local $factor v128)
    (local $ax v128) (local $ay v128) (local $bx v128) (local $by v128)
    (local $cx v128) (local $cy v128) (local $dx v128) (local $dy v128)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $length) (i32.const 5))))
    (loop $term
      (local.set $x (v128.load (local.get $panel)))
      (local.set $y (v128.load offset=16 (local.get $panel)))
      (local.set $factor (v128.load64_splat (local.get $rows)))
      (local.set $ax (f64x2.add (local.get $ax) (f64x2.mul (local.get $factor) (local.get $x))))
      (local.set $ay (f64x2.add (local.get $ay) (f64x2.mul (local.get $factor) (local.get $y))))
      (local.set $factor (v128.load64_splat offset=8 (local.get $rows)))
      (local.set $bx (f64x2.add (local.get $bx) (f64x2.mul (local.get $factor) (local.get $x))))
      (local.set $by (f64x2.add (local.get $by) (f64x2.mul (local.get $factor) (local.get $y))))
      (local.set $factor (v128.load64_splat offset=16 (local.get $rows)))
      (local.set $cx (f64x2.add (local.get $cx) (f64x2.mul (local.get $factor) (local.get $x))))
      (local.set $cy (f64x2.add (local.get $cy) (f64x2.mul (local.get $factor) (local.get $y))))
      (local.set $factor (v128.load64_splat offset=24 (local.get $rows)))
      (local.set $dx (f64x2.add (local.get $dx) (f64x2.mul (local.get $factor) (local.get $x))))
      (local.set $dy (f64x2.add (local.get $dy) (f64x2.mul (local.get $factor) (local.get $y))))
      (local.set $panel (i32.add (local.get $panel) (i32.const 32)))
      (br_if $term (i32.lt_u (local.tee $rows (i32.add (local.get $rows) (i32.const 32))) (local.get $end))))
    (v128.store (local.get $to) (local.get $ax))
    (v128.store offset=16 (local.get $to) (local.get $ay))
    (v128.store offset=256 (local.get $to) (local.get $bx))
    (v128.store offset=272 (local.get $to) (local.get $by))
    (v128.store offset=512 (local.get $to) (local.get $cx))
    (v128.store offset=528 (local.get $to) (local.get $cy))
    (v128.store offset=768 (local.get $to) (local.get $dx))
    (v128.store offset=784 (local.get $to) (local.get $dy)))

  (func $tileFloat32 (param $rows i32) (param $panel i32) (param $length i32) (param $to i32)
    (local $end i32) (local $x v128) (local $y v128) (local $factor v128)
    (local $ax v128) (local $ay v128) (local $bx v128) (local $by v128)
    (local $cx v128) (local $cy v128) (local $dx v128) (local $dy v128)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $length) (i32.const 4))))
    (loop $term
      (local.set $x (v128.load (local.get $panel)))
      (local.set $y (v128.load offset=16 (local.get $panel)))
      (local.set $factor (v128.load32_splat (local.get $rows)))
      (local.set $ax (f32x4.add (local.get $ax) (f32x4.mul (local.get $factor) (local.get $x))))
      (local.set $ay (f32x4.add (local.get $ay) (f32x4.mul (local.get $factor) (local.get $y))))
      (local.set $factor (v128.load32_splat offset=4 (local.get $rows)))
      (local.set $bx (f32x4.add (local.get $bx) (f32x4.mul (local.get $factor) (local.get $x))))
      (local.set $by (f32x4.add (local.get $by) (f32x4.mul (local.get $factor) (local.get $y))))
      (local.set $factor (v128.load32_splat offset=8 (local.get $rows)))
      (local.set $cx (f32x4.add (local.get $cx) (f32x4.mul (local.get $factor) (local.get $x))))
      (local.set $cy (f32x4.add (local.get $cy) (f32x4.mul (local.get $factor) (local.get $y))))
      (local.set $factor (v128.load32_splat offset=12 (local.get $rows)))
      (local.set $dx (f32x4.add (local.get $dx) (f32x4.mul (local.get $factor) (local.get $x))))
      (local.set $dy (f32x4.add (local.get $dy) (f32x4.mul (local.get $factor) (local.get $y))))
      (local.set $panel (i32.add (local.get $panel) (i32.const 32)))
      (br_if $term (i32.lt_u (local.tee $rows (i32.add (local.get $rows) (i32.const 16))) (local.get $end))))
    (v128.store (local.get $to) (local.get $ax))
    (v128.store offset=16 (local.get $to) (local.get $ay))
    (v128.store offset=128 (local.get $to) (local.get $bx))
    (v128.store offset=144 (local.get $to) (local.get $by))
    (v128.store offset=256 (local.get $to) (local.get $cx))
    (v128.store offset=272 (local.get $to) (local.get $cy))
    (v128.store offset=384 (local.get $to) (local.get $dx))
    (v128.store offset=400 (local.get $to) (local.get $dy)))
  ;; For each of `count` runs of `inner` adjacent f32, keeps the larger of both sides; where the source is NaN, the target.
  (func (export "keepLarger") (param $to i32) (param $toStep i32) (param $from i32) (param $fromStep i32) (param $count i32)
      (param $inner i32)
    (local $a i32) (local $b i32) (local $end i32) (local $whole i32)
    (if (i32.eq (local.get $inner) (i32.const 1))
      (then
        (loop $single
          (v128.store32_lane 0 (local.get $to)
            (f32x4.pmax (v128.load32_zero (local.get $to)) (v128.load32_zero (local.get $from))))
          (local.set $to (i32.add (local.get $to) (local.get $toStep)))
          (local.set $from (i32.add (local.get $from) (local.get $fromStep)))
          (br_if $single (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
        (return)))
    (loop $run
      (local.set $a (local.get $to))
      (local.set $b (local.get $from))
      (local.set $end (i32.add (local.get $a) (i32.shl (local.get $inner) (i32.const 2))))
      (local.set $whole (i32.add (local.get $a) (i32.shl (i32.and (local.get $inner) (i32.const -4)) (i32.const 2))))
      (block $noVector
        (br_if $noVector (i32.eq (local.get $a) (local.get $whole)))
        (loop $vector
          (v128.store (local.get $a) (f32x4.pmax (v128.load (local.get $a)) (v128.load (local.get $b))))
          (local.set $b (i32.add (local.get $b) (i32.const 16)))
          (br_if $vector (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 16))) (local.get $whole)))))
      (block $noSingle
        (br_if $noSingle (i32.eq (local.get $a) (local.get $end)))
        (loop $single
          (v128.store32_lane 0 (local.get $a)
            (f32x4.pmax (v128.load32_zero (local.get $a)) (v128.load32_zero (local.get $b))))
          (local.set $b (i32.add (local.get $b) (i32.const 4)))
          (br_if $single (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 4))) (local.get $end)))))
      (local.set $to (i32.add (local.get $to) (local.get $toStep)))
      (local.set $from (i32.add (local.get $from) (local.get $fromStep)))
      (br_if $run (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Adds `count` runs of `inner` adjacent f64 to as many of the target.
  (func (export "add") (param $to i32) (param $toStep i32) (param $from i32) (param $fromStep i32) (param $count i32)
      (param $inner i32)
    (local $a i32) (local $b i32) (local $end i32) (local $whole i32)
    (if (i32.eq (local.get $inner) (i32.const 1))
      (then
        (loop $single
          (f64.store (local.get $to) (f64.add (f64.load (local.get $to)) (f64.load (local.get $from))))
          (local.set $to (i32.add (local.get $to) (local.get $toStep)))
          (local.set $from (i32.add (local.get $from) (local.get $fromStep)))
          (br_if $single (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
        (return)))
    (loop $run
      (local.set $a (local.get $to))
      (local.set $b (local.get $from))
      (local.set $end (i32.add (local.get $a) (i32.shl (local.get $inner) (i32.const 3))))
      (local.set $whole (i32.add (local.get $a) (i32.shl (i32.and (local.get $inner) (i32.const -2)) (i32.const 3))))
      (block $noVector
        (br_if $noVector (i32.eq (local.get $a) (local.get $whole)))
        (loop $vector
          (v128.store (local.get $a) (f64x2.add (v128.load (local.get $a)) (v128.load (local.get $b))))
          (local.set $b (i32.add (local.get $b) (i32.const 16)))
          (br_if $vector (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 16))) (local.get $whole)))))
      (block $noSingle
        (br_if $noSingle (i32.eq (local.get $a) (local.get $end)))
        (loop $single
          (f64.store (local.get $a) (f64.add (f64.load (local.get $a)) (f64.load (local.get $b))))
          (local.set $b (i32.add (local.get $b) (i32.const 8)))
          (br_if $single (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 8))) (local.get $end)))))
      (local.set $to (i32.add (local.get $to) (local.get $toStep)))
      (local.set $from (i32.add (local.get $from) (local.get $fromStep)))
      (br_if $run (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Adds f32 into four f64 sums in turn, and these pairwise. Gives NaN if the magnitude of one of them reached 2^123 on the way.
  ;; `count` is a multiple of 4.
  (func (export "sumFloat32") (param $from i32) (param $count i32) (result f64)
    (local $end i32) (local $ab v128) (local $cd v128) (local $most v128)
    (local.set $end (i32.add (local.get $from) (i32.shl (local.get $count) (i32.const 2))))
    (loop $four
      (local.set $ab (f64x2.add (local.get $ab) (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $from)))))
      (local.set $cd (f64x2.add (local.get $cd) (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $from)))))
      (local.set $most (f64x2.pmax (local.get $most)
        (f64x2.pmax (f64x2.abs (local.get $ab)) (f64x2.abs (local.get $cd)))))
      (br_if $four (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 16))) (local.get $end))))
    (if (i32.eqz (i32.and
          (f64.lt (f64x2.extract_lane 0 (local.get $most)) (f64.const 0x1p123))
          (f64.lt (f64x2.extract_lane 1 (local.get $most)) (f64.const 0x1p123))))
      (then (return (f64.const nan))))
    (f64.add
      (f64.add (f64x2.extract_lane 0 (local.get $ab)) (f64x2.extract_lane 1 (local.get $ab)))
      (f64.add (f64x2.extract_lane 0 (local.get $cd)) (f64x2.extract_lane 1 (local.get $cd)))))

  ;; Arithmetic on f32, into the first operand, four elements at a time: up to three more than `count` are overwritten.
  (func (export "addFloats") (param $a i32) (param $b i32) (param $count i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $a) (i32.shl (local.get $count) (i32.const 2))))
    (loop $four
      (v128.store (local.get $a) (f32x4.add (v128.load (local.get $a)) (v128.load (local.get $b))))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $four (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 16))) (local.get $end)))))

  (func (export "subtractFloats") (param $a i32) (param $b i32) (param $count i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $a) (i32.shl (local.get $count) (i32.const 2))))
    (loop $four
      (v128.store (local.get $a) (f32x4.sub (v128.load (local.get $a)) (v128.load (local.get $b))))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $four (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 16))) (local.get $end)))))

  (func (export "multiplyFloats") (param $a i32) (param $b i32) (param $count i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $a) (i32.shl (local.get $count) (i32.const 2))))
    (loop $four
      (v128.store (local.get $a) (f32x4.mul (v128.load (local.get $a)) (v128.load (local.get $b))))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $four (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 16))) (local.get $end)))))

  (func (export "divideFloats") (param $a i32) (param $b i32) (param $count i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $a) (i32.shl (local.get $count) (i32.const 2))))
    (loop $four
      (v128.store (local.get $a) (f32x4.div (v128.load (local.get $a)) (v128.load (local.get $b))))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $four (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 16))) (local.get $end)))))
)
