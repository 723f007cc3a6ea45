/// Writes molecules in XYZ format, each model as a frame.
enum XYZWriter {
  /// Returns the bytes of a file.
  ///
  /// Every atom is written, alternate locations included; coordinates are restored exactly.
  static func bytes(of molecule: Molecule) -> [UInt8] {
    let structure = molecule.structure
    let atoms = structure.atoms
    var buffer = TextBuffer(expectedBytes: atoms.count * 40)
    for model in structure.models {
      buffer.add("\(model.atoms.count)\n")
      buffer.add(comment(molecule, model))
      buffer.newLine()
      for atom in model.atoms {
        buffer.left(atoms.element[atom].symbol, 2)
        for value in [atoms.x[atom], atoms.y[atom], atoms.z[atom]] {
          buffer.blanks(1)
          buffer.right(DecimalText.exact(value, atLeast: 3), 11)
        }
        buffer.newLine()
      }
    }
    return buffer.bytes
  }

  /// Returns the title, with the model's number if there are several.
  ///
  /// A title that looks like keys of the extended form is written as the value of a key.
  private static func comment(_ molecule: Molecule, _ model: StructureModel) -> String {
    let title = molecule.displayTitle.replacingLineEnds()
    let comment = molecule.structure.models.count > 1 ? "\(title), model \(model.number)" : title
    guard XYZComment.isExtended(comment) else { return comment }
    // Pieces with the other kind of quotes each, if the title contains quotes itself.
    let pieces = comment.split(separator: "\"", omittingEmptySubsequences: false).map { "\"\($0)\"" }
    return "Properties=species:S:1:pos:R:3 title=" + pieces.joined(separator: "'\"'")
  }
}
