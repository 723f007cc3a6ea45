/// What the colour of an atom tells.
enum ColorScheme: String, CaseIterable, Sendable {
  case element
  case residue
  case chain
}

/// Colours of residues and chains.
enum ColorTable {
  /// The colour of a residue kind by the code the original application gave it: 0 unknown, 1 DA to 4 DT, 5 A to 8 U,
  /// 9 GLY to 28 GLN, 29 water.
  ///
  /// - Source: the RasMol "amino" colours as in the cylinder mode of Molecules 1.2.
  static func residueColor(_ code: UInt8) -> RGBColor {
    let index = Int(code)
    return index < residues.count ? RGBColor(residues[index]) : RGBColor(residues[0])
  }

  /// The colour of the chain at a position in its model (0-based); the twelve repeat.
  static func chainColor(_ index: Int) -> RGBColor {
    let count = chains.count
    return RGBColor(chains[((index % count) + count) % count])
  }

  private static let residues: [UInt32] = [
    0x969696,
    0xA0A0FF, 0xFF8C4B, 0xFF7070, 0xA0FFA0,
    0xA0A0FF, 0xFF8C4B, 0xFF7070, 0xFF8080,
    0xEBEBEB, 0xC8C8C8, 0x0F820F, 0x0F820F, 0x0F820F, 0xFA9600, 0xE6E600, 0xFA9600, 0xE6E600, 0xDC9682,
    0x3232AA, 0x3232AA, 0xB45AB4, 0x8282D2, 0x145AFF, 0x145AFF, 0xE60A0A, 0xE60A0A, 0x00DCDC, 0x00DCDC,
    0x969696,
  ]

  private static let chains: [UInt32] = [
    0x4E9FE6, 0xF2A03D, 0x5CC46B, 0xE8615B, 0xA583E0, 0xC9A26B,
    0xE58BC9, 0x4FC7C7, 0xD4D04A, 0x8C9CB8, 0xB5D66B, 0xD67F8F,
  ]
}
