import PluginAPI

/// The captures of one act.
extension ExchangeManifest.Item {
  /// Creates the exported form of an item: acts are counted from 1, newest first, and places from 0 without gaps, so
  /// that an import restores the same.
  ///
  /// - Parameter captures: The captures in the store's order, grouped by act.
  init(_ item: BiometricItem, _ captures: [CaptureRecord], _ losses: [LostPicture]) {
    var bare = item
    bare.forgetCaptures()
    var acts: [Int: Int] = [:]
    for capture in captures where acts[capture.act] == nil { acts[capture.act] = acts.count + 1 }
    let taken = captures.map { ($0.act, $0.place) } + losses.map { ($0.act, $0.place) }
    let places = Dictionary(grouping: taken, by: \.0).mapValues { $0.map(\.1).sorted() }
    func place(_ place: Int, in act: Int) -> Int { places[act]?.firstIndex(of: place) ?? 0 }
    let numbered = captures.enumerated().map { number, record in
      var numbered = record
      (numbered.act, numbered.place) = (acts[record.act] ?? 1, place(record.place, in: record.act))
      return ExchangeManifest.Capture(
        record: numbered, file: ExchangeManifest.file(item: item, number: number + 1, record))
    }
    let missed = losses.compactMap { loss in
      acts[loss.act].map {
        LostPicture(
          act: $0, place: place(loss.place, in: loss.act), captureID: loss.captureID, reason: loss.reason)
      }
    }
    self.init(item: bare, captures: numbered, losses: missed)
  }

  /// Checks that the numbers of acts and places are consistent.
  ///
  /// Captures of an act follow one another in the order of their places, and have the same subject. Either all captures
  /// have an act or, in older exports, none has.
  func checkActs(_ item: ManifestPlace) throws(ExchangeError) {
    var places: [Int: Set<Int>] = [:]
    var last: CaptureRecord?
    for (number, capture) in captures.enumerated() {
      let record = capture.record
      let said = ManifestPlace(.null, path: "\(item.path).captures[\(number)]")
      if let last, (last.act == 0) != (record.act == 0) { throw said["act"].problem }
      defer { last = record }
      if record.act == 0 { continue }
      if let last, last.act == record.act {
        guard last.place < record.place else { throw said["place"].problem }
        guard last.subject == record.subject else { throw said["submodality"].problem }
      } else if places[record.act] != nil {
        throw said["act"].problem
      }
      places[record.act, default: []].insert(record.place)
    }
    for (number, loss) in losses.enumerated() {
      let said = ManifestPlace(.null, path: "\(item.path).lost[\(number)]")
      guard places[loss.act] != nil else { throw said["act"].problem }
      guard places[loss.act]?.insert(loss.place).inserted ?? false else { throw said["place"].problem }
    }
  }
}
