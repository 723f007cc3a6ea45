@testable import Molecules

/// A value in MessagePack form, for synthetic files.
indirect enum Packed {
  case integer(Int)
  case number(Double)
  case text(String)
  case data([UInt8])
  case array([Packed])
  case map([(String, Packed)])
  case null

  var bytes: [UInt8] {
    switch self {
    case .null: [0xC0]
    case .integer(let value):
      if (0...127).contains(value) {
        [UInt8(value)]
      } else {
        [0xD2] + Self.big(UInt64(UInt32(bitPattern: Int32(truncatingIfNeeded: value))), 4)
      }
    case .number(let value): [0xCB] + Self.big(value.bitPattern, 8)
    case .text(let text): [0xDA] + Self.big(UInt64(text.utf8.count), 2) + Array(text.utf8)
    case .data(let bytes): [0xC5] + Self.big(UInt64(bytes.count), 2) + bytes
    case .array(let elements): [0xDC] + Self.big(UInt64(elements.count), 2) + elements.flatMap(\.bytes)
    case .map(let pairs):
      [0xDE] + Self.big(UInt64(pairs.count), 2) + pairs.flatMap { Packed.text($0.0).bytes + $0.1.bytes }
    }
  }

  private static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }
}

/// Synthetic BinaryCIF files with every encoding.
enum BinaryCIFFixture {
  static func step(_ kind: String, _ fields: (String, Packed)...) -> Packed {
    .map([("kind", .text(kind))] + fields)
  }

  static func int32(_ values: [Int32]) -> (Packed, Packed) {
    (
      .data(values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> Int32(8 * $0)) } }),
      step("ByteArray", ("type", .integer(3)))
    )
  }

  static func data(_ bytes: Packed, _ steps: [Packed]) -> Packed {
    .map([("encoding", .array(steps)), ("data", bytes)])
  }

  static func integers(_ values: [Int32]) -> Packed {
    let (bytes, step) = int32(values)
    return data(bytes, [step])
  }

  /// Returns coordinates encoded as thousandths, as differences, packed into two bytes each.
  static func coordinates(_ values: [Double]) -> Packed {
    var before: Int32 = 0
    var bytes: [UInt8] = []
    for value in values {
      let milli = Int32((value * 1000).rounded())
      var rest = milli - before
      before = milli
      while rest >= 32767 || rest <= -32768 {
        let part: Int16 = rest > 0 ? 32767 : -32768
        bytes += [UInt8(truncatingIfNeeded: part), UInt8(truncatingIfNeeded: part >> 8)]
        rest -= Int32(part)
      }
      bytes += [UInt8(truncatingIfNeeded: rest), UInt8(truncatingIfNeeded: rest >> 8)]
    }
    return data(
      .data(bytes),
      [
        step("FixedPoint", ("factor", .integer(1000)), ("srcType", .integer(33))),
        step("Delta", ("origin", .integer(0)), ("srcType", .integer(3))),
        step(
          "IntegerPacking", ("byteCount", .integer(2)), ("isUnsigned", .integer(0)),
          ("srcSize", .integer(values.count))),
        step("ByteArray", ("type", .integer(2))),
      ])
  }

  static func texts(_ values: [String]) -> Packed {
    var unique: [String] = []
    var indices: [Int32] = []
    for value in values {
      if let known = unique.firstIndex(of: value) {
        indices.append(Int32(known))
      } else {
        indices.append(Int32(unique.count))
        unique.append(value)
      }
    }
    var offsets: [Int32] = [0]
    for text in unique { offsets.append(offsets[offsets.count - 1] + Int32(text.unicodeScalars.count)) }
    let (offsetBytes, offsetStep) = int32(offsets)
    let (indexBytes, indexStep) = int32(indices)
    return data(
      indexBytes,
      [
        step(
          "StringArray", ("dataEncoding", .array([indexStep])), ("stringData", .text(unique.joined())),
          ("offsetEncoding", .array([offsetStep])), ("offsets", offsetBytes))
      ])
  }

  static func column(_ name: String, _ data: Packed, mask: [UInt8]? = nil) -> Packed {
    let marks = mask.map { Self.data(.data($0), [step("ByteArray", ("type", .integer(4)))]) } ?? .null
    return .map([("name", .text(name)), ("data", data), ("mask", marks)])
  }

  static func category(_ name: String, _ rows: Int, _ columns: [Packed]) -> Packed {
    .map([("name", .text(name)), ("rowCount", .integer(rows)), ("columns", .array(columns))])
  }

  static func file(_ categories: [Packed]) -> [UInt8] {
    Packed.map([
      ("encoder", .text("a test")), ("version", .text("0.3.0")),
      ("dataBlocks", .array([.map([("header", .text("TEST")), ("categories", .array(categories))])])),
    ]).bytes
  }

  /// Returns three atoms: of two residues, and a water without its own residue number.
  static func atoms(rows: Int = 3) -> Packed {
    category(
      "_atom_site", rows,
      [
        column("group_PDB", texts(["ATOM", "ATOM", "HETATM"])), column("id", integers([1, 2, 70000])),
        column("type_symbol", texts(["N", "C", "O"])), column("label_atom_id", texts(["N", "CA", "O"])),
        column("label_alt_id", texts(["", "B", ""]), mask: [1, 0, 1]),
        column("label_comp_id", texts(["GLY", "GLY", "HOH"])), column("label_asym_id", texts(["A", "A", "B"])),
        column("label_seq_id", integers([1, 1, 0]), mask: [0, 0, 1]),
        column("auth_seq_id", integers([-5, -5, 301])), column("auth_asym_id", texts(["Xä", "Xä", "Y"])),
        column("Cartn_x", coordinates([1.5, 2.25, -100.125])), column("Cartn_y", coordinates([0, 0.001, 4])),
        column("Cartn_z", coordinates([3, 3, 3])),
      ])
  }
}
