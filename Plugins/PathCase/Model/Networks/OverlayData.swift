/// Numbers to be laid over a map, in the order of the file.
struct OverlayData: Sendable, Hashable {
  /// A number of a reaction or a metabolite.
  struct Entry: Sendable, Hashable {
    var id: Identifier
    /// Nil where the file has a place but no number.
    var value: Double?
  }

  var entries: [Entry] = []
}
