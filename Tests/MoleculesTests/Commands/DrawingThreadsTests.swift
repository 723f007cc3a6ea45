import Foundation
import Synchronization
import Testing

@testable import Molecules

/// Tests of threads that share the pieces of a work.
struct DrawingThreadsTests {
  /// The number of executions of each piece.
  private final class Counts: Sendable {
    private let counts: Mutex<[Int]>
    init(_ count: Int) { counts = Mutex([Int](repeating: 0, count: count)) }
    func add(_ piece: Int) { counts.withLock { $0[piece] += 1 } }
    var areAllOne: Bool { counts.withLock { $0.allSatisfy { $0 == 1 } } }
  }

  @Test(arguments: [0, 1, 2, 7, 40])
  func `every piece of many jobs runs once`(_ helpers: Int) {
    let threads = DrawingThreads(helpers: helpers)
    #expect(threads.work.threads == min(helpers, 15) + 1)
    var wrong: [Int] = []
    for number in 0..<600 {
      let count = number * 37 % 61
      let counts = Counts(count)
      threads.work(count) { counts.add($0) }
      if !counts.areAllOne { wrong.append(count) }
    }
    #expect(wrong.isEmpty)
  }

  @Test func `the results of all pieces are visible when the job ends`() {
    let threads = DrawingThreads(helpers: 3)
    let cells = UnsafeMutablePointer<Int>.allocate(capacity: 64)
    defer { cells.deallocate() }
    var wrong = 0
    for number in 0..<500 {
      nonisolated(unsafe) let places = cells
      threads.work(64) { places[$0] = $0 * number }
      for index in 0..<64 where cells[index] != index * number { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `a nested job runs on the thread of its piece`() {
    let threads = DrawingThreads(helpers: 2)
    let counts = Counts(20 * 30)
    let work = threads.work
    work(20) { outer in
      work(30) { inner in counts.add(outer * 30 + inner) }
    }
    #expect(counts.areAllOne)
  }

  @Test func `jobs submitted concurrently all run`() {
    let threads = DrawingThreads(helpers: 2)
    let work = threads.work
    let counts = Counts(8 * 100 * 16)
    DispatchQueue.concurrentPerform(iterations: 8) { asker in
      for number in 0..<100 {
        work(16) { piece in counts.add((asker * 100 + number) * 16 + piece) }
      }
    }
    #expect(counts.areAllOne)
  }

  @Test func `jobs on short-lived thread pools all run`() {
    var wrong = 0
    for number in 0..<60 {
      let counts = Counts(9)
      DrawingThreads(helpers: number % 4).work(9) { counts.add($0) }
      if !counts.areAllOne { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `the bytes of a picture do not depend on the number of threads`() throws {
    // Large enough to be drawn in rounds.
    let scene = SceneFixture.blob(radius: 28)
    let camera = Camera(framing: InstancedScene(scene))
    var style = RenderStyle()
    for (samples, viewport) in [(1, Viewport(width: 151, height: 86)), (2, Viewport(width: 61, height: 44))] {
      style.samples = samples
      var alone = Rasterizer()
      let expected = alone.draw(scene, from: camera, onto: viewport, style: style)
      for helpers in [1, 2, 5] {
        var raster = Rasterizer()
        let work = DrawingThreads(helpers: helpers).work
        #expect(work.threads == helpers + 1)
        for _ in 0..<3 {
          let pixels = raster.draw(scene, from: camera, onto: viewport, style: style, work: work)
          #expect(pixels != nil && pixels == expected)
        }
      }
    }
  }
}
