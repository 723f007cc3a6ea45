import PluginAPI
import PluginCompression
import PluginJSON
import PluginText

/// Reads the JSON of maps, which is never deeply nested.
enum MapJSON {
  /// The maximum nesting depth of objects and lists.
  private static let depth = 512

  /// Reads a document.
  ///
  /// - Throws: The handler's errors as ``MapError``, and JSON errors converted to it.
  static func read(_ bytes: [UInt8], _ handler: @escaping (JSONEvent) throws -> JSONFlow) throws(ErrorReport) {
    var options = JSONReader.Options()
    options.depth = depth
    options.sizeInBytes = MapBytes.limitInBytes * 4
    do {
      let reader = try JSONReader(options, handler)
      try reader.push(bytes)
      try reader.finish()
    } catch let error as JSONError {
      throw MapError.of(error)
    } catch {
      throw MapError.of(reading: error)
    }
  }
}

/// Finds the position of a value in JSON that was read before, for messages.
enum JSONPosition {
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
    let before = bytes[..<scanner.offset]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (before.count { $0 == UInt8(ascii: "\n") } + 1, scanner.offset - start + 1)
  }

  private struct Scanner {
    let bytes: [UInt8]
    var offset: Int

    init(bytes: [UInt8]) {
      self.bytes = bytes
      offset = bytes.withoutByteOrderMark.startIndex
      skipBlanks()
    }

    /// Moves to a part of the current value; returns false if there is no such part.
    mutating func enter(_ step: Step) -> Bool {
      guard offset < bytes.count else { return false }
      let isObject = bytes[offset] == UInt8(ascii: "{")
      guard isObject || bytes[offset] == UInt8(ascii: "[") else { return false }
      offset += 1
      var index = 0
      while true {
        skipBlanks()
        guard offset < bytes.count, bytes[offset] != UInt8(ascii: "}"), bytes[offset] != UInt8(ascii: "]") else {
          return false
        }
        var isWanted = false
        if isObject {
          let start = offset + 1
          skipValue()
          if case .key(let name) = step { isWanted = bytes[start..<max(start, offset - 1)].elementsEqual(name.utf8) }
          skipBlanks()
          // The colon.
          offset += 1
          skipBlanks()
        } else if case .index(let wanted) = step {
          isWanted = index == wanted
        }
        if isWanted { return offset < bytes.count }
        skipValue()
        index += 1
      }
    }

    private mutating func skipBlanks() {
      while offset < bytes.count, bytes[offset] <= 0x20 || bytes[offset] == UInt8(ascii: ",") { offset += 1 }
    }

    /// Skips the current value.
    private mutating func skipValue() {
      var depth = 0
      while offset < bytes.count {
        switch bytes[offset] {
        case UInt8(ascii: "\""):
          offset += 1
          while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
          }
          if depth == 0 {
            offset = min(offset + 1, bytes.count)
            return
          }
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          // The end of the enclosing value.
          if depth == 0 { return }
          depth -= 1
          if depth == 0 {
            offset += 1
            return
          }
        case UInt8(ascii: ","), UInt8(ascii: ":"): if depth == 0 { return }
        default: break
        }
        offset = min(offset + 1, bytes.count)
      }
    }
  }
}

/// Reads the content of files, uncompressed if necessary.
enum MapBytes {
  /// The maximum content size in bytes.
  static let limitInBytes = 64 << 20
  /// The maximum ratio of content size to file size, for content larger than ``smallInBytes``.
  private static let ratio = 200
  /// The size up to which any ratio is permitted: texts with much whitespace compress well.
  private static let smallInBytes = 1 << 20

  /// Returns the content of a file; gzip is detected by the content.
  ///
  /// - Throws: ``MapError/tooLarge(limitInBytes:)``, ``MapError/compression(_:)``.
  static func plain(_ bytes: [UInt8]) throws(ErrorReport) -> [UInt8] {
    guard Gzip.isGzip(bytes) else { return bytes }
    let limit = min(limitInBytes, max(smallInBytes, bytes.count.multipliedReportingOverflow(by: ratio).partialValue))
    do {
      return try Gzip.uncompress(bytes, limit: limit)
    } catch .tooLarge(let limit) {
      throw MapError.tooLarge(limitInBytes: limit)
    } catch {
      throw MapError.compression(error.description)
    }
  }
}

extension JSONWriter {
  /// Writes a member of an object.
  mutating func write(_ key: String, _ text: String) {
    self.key(key)
    write(text)
  }

  /// Writes a member of an object.
  mutating func write(_ key: String, _ number: Double) {
    self.key(key)
    write(number)
  }

  /// Writes a member of an object.
  mutating func write(_ key: String, _ flag: Bool) {
    self.key(key)
    write(flag)
  }

  /// Writes an object: as a member if it has a key, otherwise as an element of a list.
  mutating func object(_ key: String? = nil, _ write: (inout JSONWriter) -> Void) {
    if let key { self.key(key) }
    beginObject()
    write(&self)
    endObject()
  }

  /// Writes a list as a member, with an object for each part.
  mutating func objects<Part>(_ key: String, _ parts: [Part], _ write: (Part, inout JSONWriter) -> Void) {
    self.key(key)
    beginArray()
    for part in parts { object { write(part, &$0) } }
    endArray()
  }
}
