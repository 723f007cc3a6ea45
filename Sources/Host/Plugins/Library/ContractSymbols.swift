/// The symbols that revisions of the contract added.
///
/// A library needs the latest revision whose symbols it imports. That may be an earlier one than that it was built on,
/// so that older programs can use it too.
enum ContractSymbols {
  /// The symbols of `libPluginAPI.so` by the revision that added them.
  ///
  /// The oldest supported revision has no entry, as every library needs it. A new revision needs one:
  /// `nm -D --defined-only` of both libraries lists the symbols.
  static let added: [Int: Set<String>] = [:]

  /// Returns the revision that a library needs.
  ///
  /// A revision without a list of symbols counts as needed.
  /// - Parameters:
  ///   - revision: The revision that the library was built on.
  ///   - oldest: The oldest supported revision.
  static func revision(
    neededBy file: ELFFile, builtOn revision: Int, oldest: Int = ContractStamp.current.oldest,
    added: [Int: Set<String>] = ContractSymbols.added
  ) throws(ELFError) -> Int {
    guard revision > oldest else { return revision }
    let imported = try file.importedSymbols()
    for later in (oldest + 1...revision).reversed() {
      guard let symbols = added[later], symbols.isDisjoint(with: imported) else { return later }
    }
    return oldest
  }
}
