/// Numbers to show on a map, in the order of the file.
struct OverlayData: Sendable, Hashable {
  /// The number of a reaction or a metabolite.
  struct Entry: Sendable, Hashable {
    var id: Identifier
    /// The number; nil if the file leaves it empty.
    var value: Double?
  }

  var entries: [Entry] = []
}
