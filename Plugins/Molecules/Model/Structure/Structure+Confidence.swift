extension Structure {
  /// Returns a sentence that explains why the B factors of a model are not pLDDT confidences; nil if they may be.
  ///
  /// Predicted structures state no method or a theoretical one, and confidences are 0 to 100.
  ///
  /// - Parameter model: Model index, 0-based.
  /// - Source: EXPDTA of the PDB format 3.3; `_exptl.method` of the PDBx/mmCIF dictionary.
  func doubtAboutConfidence(ofModel model: Int) -> String? {
    let words = metadata.method.uppercased().split { !$0.isLetter }
    let isPredicted = words.contains { $0.hasPrefix("MODEL") || $0.hasPrefix("PREDICT") || $0 == "THEORETICAL" }
    if !words.isEmpty, !isPredicted {
      return "the structure was determined by '\(metadata.method)': its B factors are not confidences (pLDDT)"
    }
    guard models.indices.contains(model) else { return nil }
    let isOutside = models[model].atoms.contains { !(0...100).contains(atoms.bFactor[$0]) }
    return isOutside ? "the B factors are not all from 0 to 100, as confidences (pLDDT) are" : nil
  }
}
