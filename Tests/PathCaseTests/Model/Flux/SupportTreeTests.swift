import PluginText
import TestSupport
import Testing

@testable import PathCase

struct SupportTreeTests {
  @Test(arguments: [1, 2, 3]) func `a tree finds the same supports as a linear search`(_ words: Int) {
    var random = SplitMix64(seed: UInt64(words))
    // Each support has a few columns, so that some are subsets of others.
    var supports = [UInt64](repeating: 0, count: 300 * words)
    for ray in 0..<300 {
      for _ in 0..<8 {
        let column = Int.random(in: 0..<64 * words, using: &random)
        supports[ray * words + column / 64] |= 1 << UInt64(column % 64)
      }
    }
    func isWithin(_ ray: Int, _ set: [UInt64]) -> Bool {
      (0..<words).allSatisfy { supports[ray * words + $0] & ~set[$0] == 0 }
    }
    var (found, wrong) = (0, 0)
    SupportTree(supports, wordCount: words).withFinder { finder in
      for first in 0..<300 {
        let second = (first * 7 + 1) % 300
        let set = (0..<words).map { word in
          supports[first * words + word] | supports[second * words + word] | random.next() & random.next()
        }
        let known = (0..<300).contains { $0 != first && $0 != second && isWithin($0, set) }
        if known { found += 1 }
        if finder.hasRay(in: set, except: first, second) != known { wrong += 1 }
      }
    }
    #expect(wrong == 0 && found > 0 && found < 300)
  }

  @Test func `equal supports and an empty tree are handled`() {
    let same = SupportTree([UInt64](repeating: 5, count: 50), wordCount: 1)
    #expect(same.withFinder { $0.hasRay(in: [7], except: 0, 1) })
    #expect(!same.withFinder { $0.hasRay(in: [2], except: 0, 1) })
    #expect(!SupportTree([], wordCount: 1).withFinder { $0.hasRay(in: [7], except: 0, 1) })
  }

  @Test(arguments: [1, 2, 3]) func `unions of few columns are found without examining each support`(_ words: Int) {
    var random = SplitMix64(seed: UInt64(10 + words))
    var supports = [UInt64](repeating: 0, count: 200 * words)
    // Two families without a common column: no union across them is small.
    for ray in 0..<200 {
      let first: UInt64 = ray < 100 ? 0 : 32
      for word in 0..<words { supports[ray * words + word] = 0b111 << first }
      for _ in 0..<4 {
        supports[ray * words + Int.random(in: 0..<words, using: &random)] |=
          1 << (first + UInt64.random(in: 3..<20, using: &random))
      }
    }
    let most = 3 * words + 6
    var tests = 0
    var wrong: [Int] = []
    SupportTree(supports, wordCount: words).withFinder { finder in
      for first in 0..<200 {
        let own = Array(supports[first * words..<(first + 1) * words])
        let unions = (0..<200).map { ray in (0..<words).map { own[$0] | supports[ray * words + $0] } }
        let known = unions.indices.filter { unions[$0].reduce(0) { $0 + $1.nonzeroBitCount } <= most }
        var found: [Int] = []
        finder.forEachUnion(with: own) { union in
          tests += 1
          return (0..<words).reduce(0) { $0 + union[$1].nonzeroBitCount } <= most
        } _: { ray, union in
          found.append(ray)
          if (0..<words).contains(where: { union[$0] != unions[ray][$0] }) { wrong.append(first) }
        }
        if found.sorted() != known { wrong.append(first) }
      }
    }
    #expect(wrong.isEmpty && tests > 0 && tests < 200 * 200)
  }
}
