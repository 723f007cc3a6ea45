import PluginAPI

/// Builds molecules from files: the structure and the bonds of its models.
///
/// The functions block the calling thread.
enum MoleculeReading {
  /// The models whose bonds are found.
  enum BondScope: Sendable {
    case firstModel, allModels
    /// The bonds needed to choose the first mode of a molecule; others are found on demand.
    case needed
  }

  /// Reads a molecule from a file's bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - path: Its path, for messages; its last part is the molecule's file name.
  ///   - scope: The models whose bonds are found; the others have none.
  ///   - limits: The limits of reading.
  ///   - progress: Updated after reading and after each model; checked for cancellation.
  /// - Throws: ``MoleculeError/unreadable``, `CancellationError`.
  static func molecule(
    _ bytes: [UInt8], path: String, bonds scope: BondScope, limits: ReadingLimits = ReadingLimits(),
    _ progress: any WorkProgress
  ) throws -> Molecule {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    progress.report(Progress("reading \(name)", fraction: 0))
    let source: StructureSource
    do {
      source = try StructureSource(bytes: bytes, name: name, limits: limits)
    } catch {
      if case .contentTooLarge(let limit) = error {
        throw MoleculeError.contentTooLarge(path: path, limitInBytes: limit)
      }
      if case .noCoordinates(let reason) = error {
        throw MoleculeError.noCoordinates(
          "'\(path)' has no coordinates of atoms: \(reason)", details: ["file": .text(path)])
      }
      throw MoleculeError.unreadable(path: path, reason: error.reason, place: error.place)
    }
    try progress.checkCancellation()
    let structure = source.structure
    let models = models(scope, of: structure)
    var bonds: [[Bond]] = []
    for model in models {
      progress.report(Progress("bonds of \(name)", fraction: 0.5 + 0.5 * Double(model) / Double(models.count)))
      bonds.append(BondPerception.bonds(of: structure, model: model))
      try progress.checkCancellation()
    }
    if scope == .firstModel { bonds += Array(repeating: [], count: structure.models.count - bonds.count) }
    return Molecule(id: nil, format: source.format, file: name, structure: structure, bonds: bonds)
  }

  /// Returns the models whose bonds are found immediately.
  private static func models(_ scope: BondScope, of structure: Structure) -> Range<Int> {
    let all = structure.models.indices
    switch scope {
    case .allModels: return all
    case .firstModel: return all.prefix(1).indices
    case .needed:
      let atoms = structure.models.first?.atoms.count ?? 0
      return RenderMode.isSmall(atomCount: atoms) ? all.prefix(1).indices : 0..<0
    }
  }

  /// Reads a molecule from a file on disk.
  static func molecule(
    file path: String, bonds scope: BondScope, limits: ReadingLimits, _ progress: any WorkProgress
  ) throws -> (molecule: Molecule, bytes: [UInt8]) {
    progress.report(Progress("reading \(path)"))
    let bytes: [UInt8]
    do {
      bytes = try StructureSource.bytes(ofFile: path)
    } catch {
      throw MoleculeError.file(error)
    }
    return (try molecule(bytes, path: path, bonds: scope, limits: limits, progress), bytes)
  }
}
