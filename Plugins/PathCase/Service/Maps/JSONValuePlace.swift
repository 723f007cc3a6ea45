/// Finds the position of a value in JSON that was read before, for messages.
enum JSONValuePlace {
  /// A step from a value to one that it contains.
  enum Step {
    case key(String)
    /// An index in a list, from 0.
    case index(Int)
  }

  /// Returns the position where a value begins.
  ///
  /// - Parameters:
  ///   - path: The path from the outermost value; the first of several members with one name is used.
  ///   - bytes: Valid JSON.
  /// - Returns: The line and column, from 1, in bytes; nil if there is no such value.
  /// - Complexity: Linear in the number of bytes.
  static func find(_ path: [Step], in bytes: [UInt8]) -> (line: Int, column: Int)? {
    var scanner = Scanner(bytes: bytes)
    for step in path {
      guard scanner.enter(step) else { return nil }
    }
    let before = bytes[..<scanner.place]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (before.count { $0 == UInt8(ascii: "\n") } + 1, scanner.place - start + 1)
  }

  private struct Scanner {
    let bytes: [UInt8]
    var place = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
      // The byte order mark of UTF-8.
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
      skipBlanks()
    }

    /// Moves to a part of the current value; returns false if there is no such part.
    mutating func enter(_ step: Step) -> Bool {
      guard place < bytes.count else { return false }
      let isObject = bytes[place] == UInt8(ascii: "{")
      guard isObject || bytes[place] == UInt8(ascii: "[") else { return false }
      place += 1
      var index = 0
      while true {
        skipBlanks()
        guard place < bytes.count, bytes[place] != UInt8(ascii: "}"), bytes[place] != UInt8(ascii: "]") else {
          return false
        }
        var isWanted = false
        if isObject {
          let start = place + 1
          skipValue()
          if case .key(let name) = step { isWanted = bytes[start..<max(start, place - 1)].elementsEqual(name.utf8) }
          skipBlanks()
          // The colon.
          place += 1
          skipBlanks()
        } else if case .index(let wanted) = step {
          isWanted = index == wanted
        }
        if isWanted { return place < bytes.count }
        skipValue()
        index += 1
      }
    }

    private mutating func skipBlanks() {
      while place < bytes.count, bytes[place] <= 0x20 || bytes[place] == UInt8(ascii: ",") { place += 1 }
    }

    /// Skips the current value.
    private mutating func skipValue() {
      var depth = 0
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "\""):
          place += 1
          while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
          }
          if depth == 0 {
            place = min(place + 1, bytes.count)
            return
          }
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          // The end of the enclosing value.
          if depth == 0 { return }
          depth -= 1
          if depth == 0 {
            place += 1
            return
          }
        case UInt8(ascii: ","), UInt8(ascii: ":"): if depth == 0 { return }
        default: break
        }
        place = min(place + 1, bytes.count)
      }
    }
  }
}
