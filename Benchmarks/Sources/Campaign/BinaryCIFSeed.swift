/// A BinaryCIF file written for this program: a few atoms with every encoding there is.
enum BinaryCIFSeed {
  static let bytes: [UInt8] = map([
    ("version", text("0.3.0")), ("encoder", text("campaign")),
    (
      "dataBlocks",
      array([
        map([
          ("header", text("SEED")),
          ("categories", array([category("_struct", 1, [column("title", texts(["a title"]))]), atoms, helices])),
        ])
      ])
    ),
  ])

  private static let atoms = category(
    "_atom_site", 6,
    [
      column("group_PDB", texts(["ATOM", "ATOM", "ATOM", "ATOM", "HETATM", "HETATM"])),
      column("id", encoded([1, 6], [step("Delta", [("origin", integer(0))]), runs(6), bytes(1)])),
      column("type_symbol", texts(["N", "C", "C", "O", "Fe", "O"])),
      column("label_atom_id", texts(["N", "CA", "C", "O", "FE", "O"])),
      column("label_alt_id", texts(["A", "", "", "B", "", ""]), mask: [0, 1, 1, 0, 1, 2]),
      column("label_comp_id", texts(["GLY", "GLY", "GLY", "GLY", "HEM", "HOH"])),
      column("label_asym_id", texts(["A", "A", "A", "A", "B", "C"])),
      column("label_seq_id", encoded([1, 4, 0, 2], [runs(6), bytes(1)]), mask: [0, 0, 0, 0, 1, 1]),
      column("auth_seq_id", encoded([127, 3, 1, 2, 0x80, 0xF6, 7, 9], [packing(1, unsigned: 0), bytes(1)])),
      column("auth_asym_id", texts(["A", "A", "A", "A", "A", "A"])),
      column("Cartn_x", coordinates), column("Cartn_y", coordinates),
      column(
        "Cartn_z",
        encoded(
          [0, 1, 2, 3, 4, 5],
          [
            step("IntervalQuantization", [("min", integer(-9)), ("max", integer(9)), ("numSteps", integer(19))]),
            bytes(4),
          ])
      ),
      column("occupancy", encoded([0, 0, 0x80, 0x3F, 0, 0, 0, 0x3F].repeated(3), [bytes(32)])),
      column("B_iso_or_equiv", encoded([0, 0, 0, 0, 0, 0, 0x24, 0x40].repeated(6), [bytes(33)])),
      column(
        "pdbx_PDB_model_num", encoded([1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 2, 0], [packing(2, unsigned: 1), bytes(5)])),
    ])

  private static let helices = category(
    "_struct_conf", 1,
    [
      column("conf_type_id", texts(["HELX_P"])), column("id", texts(["H1"])), column("beg_auth_asym_id", texts(["A"])),
      column("beg_auth_seq_id", encoded([1, 0, 0, 0], [bytes(3)])), column("end_auth_asym_id", texts(["A"])),
      column("end_auth_seq_id", encoded([2, 0, 0, 0], [bytes(6)])),
    ])

  private static let coordinates = encoded(
    [0xE8, 3, 0xFF, 0x7F, 10, 0, 20, 0, 0x18, 0xFC, 1, 0, 2, 0],
    [
      step("FixedPoint", [("factor", integer(1000))]), step("Delta", [("origin", integer(-5))]),
      packing(2, unsigned: 0),
      bytes(2),
    ])

  private static func bytes(_ type: Int) -> [UInt8] { step("ByteArray", [("type", integer(type))]) }

  private static func runs(_ size: Int) -> [UInt8] { step("RunLength", [("srcSize", integer(size))]) }

  private static func packing(_ count: Int, unsigned: Int) -> [UInt8] {
    step("IntegerPacking", [("byteCount", integer(count)), ("isUnsigned", integer(unsigned)), ("srcSize", integer(6))])
  }

  private static func step(_ kind: String, _ fields: [(String, [UInt8])]) -> [UInt8] {
    map([("kind", text(kind))] + fields)
  }

  private static func encoded(_ data: [UInt8], _ steps: [[UInt8]]) -> [UInt8] {
    map([("encoding", array(steps)), ("data", [0xC4, UInt8(data.count)] + data)])
  }

  private static func texts(_ values: [String]) -> [UInt8] {
    let unique = values.enumerated().filter { !values[..<$0.offset].contains($0.element) }.map(\.element)
    let indices = values.map { UInt8(unique.firstIndex(of: $0) ?? 0) }
    let offsets = unique.reduce(into: [UInt8(0)]) { $0.append($0[$0.count - 1] + UInt8($1.utf8.count)) }
    let numbers = array([bytes(4)])
    return encoded(
      indices,
      [
        step(
          "StringArray",
          [
            ("dataEncoding", numbers), ("stringData", text(unique.joined())), ("offsetEncoding", numbers),
            ("offsets", [0xC4, UInt8(offsets.count)] + offsets),
          ])
      ])
  }

  private static func column(_ name: String, _ data: [UInt8], mask: [UInt8]? = nil) -> [UInt8] {
    map([("name", text(name)), ("data", data), ("mask", mask.map { encoded($0, [bytes(4)]) } ?? [0xC0])])
  }

  private static func category(_ name: String, _ rows: Int, _ columns: [[UInt8]]) -> [UInt8] {
    map([("name", text(name)), ("rowCount", integer(rows)), ("columns", array(columns))])
  }

  private static func integer(_ value: Int) -> [UInt8] {
    [0xD2] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func text(_ text: String) -> [UInt8] { [0xD9, UInt8(text.utf8.count)] + Array(text.utf8) }

  private static func array(_ elements: [[UInt8]]) -> [UInt8] {
    [0xDC, 0, UInt8(elements.count)] + elements.joined()
  }

  private static func map(_ pairs: [(String, [UInt8])]) -> [UInt8] {
    [0xDE, 0, UInt8(pairs.count)] + pairs.flatMap { text($0.0) + $0.1 }
  }
}

extension [UInt8] {
  fileprivate func repeated(_ count: Int) -> [UInt8] { Array(repeatElement(self, count: count).joined()) }
}
