extension String {
  /// Whether another text stands somewhere in it, byte by byte.
  func holds(_ other: String) -> Bool {
    let (text, part) = (Array(utf8), Array(other.utf8))
    guard let first = part.first, part.count <= text.count else { return part.isEmpty }
    return (0...(text.count - part.count)).contains { start in
      text[start] == first && text[start..<(start + part.count)].elementsEqual(part)
    }
  }
}

/// Numbers that look like chance and are the same at every start.
///
/// - Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014 (SplitMix64).
struct SimulatedChance: Sendable {
  private var state: UInt64

  init(_ seed: UInt64, _ place: Int = 0) {
    state = seed &+ UInt64(truncatingIfNeeded: place) &* 0xD134_2543_DE82_EF95
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  /// So many words of the lab's own language, the first with a capital letter.
  mutating func sentence(_ words: Int) -> String {
    var text = ""
    for index in 0..<words {
      let word = pick(Self.words)
      if index == 0 {
        text = word.prefix(1).uppercased() + word.dropFirst()
      } else {
        text += " " + word
      }
    }
    return text
  }

  static let words = [
    "amber", "binding", "buffer", "calm", "channel", "clear", "coiled", "cold", "crystal", "dense", "double", "dry",
    "elastic", "faint", "filtered", "fine", "fluorescent", "folded", "frozen", "gel", "gentle", "glass", "granular",
    "heavy", "hollow", "kinase", "labelled", "lattice", "light", "linear", "mixed", "narrow", "neutral", "open", "pale",
    "pellet", "plate", "pure", "rapid", "receptor", "ring", "rough", "salt", "sealed", "sharp", "silent", "slow",
    "smooth", "soft", "spiral", "stable", "starter", "sterile", "strand", "sugar", "tagged", "thin", "trace", "vial",
    "warm", "washed", "weak", "white", "wide",
  ]
}
