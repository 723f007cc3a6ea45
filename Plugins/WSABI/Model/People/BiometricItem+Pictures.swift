extension BiometricItem {
  /// True if the item is still to be captured: it has no capture, and not all of its parts are missing.
  var isOpen: Bool { capture == nil && (annotation.conditions.isEmpty || annotation.conditions.contains(.present)) }

  /// Returns the item of the same person to continue with: the next open one after this, otherwise the first before it.
  ///
  /// - Parameter items: All of the person's, in their order.
  func next(in items: [BiometricItem]) -> BiometricItem? {
    let open = items.filter { $0.isOpen && $0.id != id }
    return open.first { $0.index > index } ?? open.first
  }

  /// All pictures of the newest response, in the order of its ids.
  var pictures: [CaptureRecord] { (capture.map { [$0] } ?? []) + rest }

  /// The subject of a capture made for this item now.
  var subject: CaptureSubject { CaptureSubject(modality: modality, submodality: submodality) }

  /// Returns the submodality that a capture of this item was made as, even if the item was renamed since.
  func made(_ capture: CaptureRecord) -> Submodality { capture.subject?.submodality ?? submodality }

  /// Returns true if a capture was made under another name than the item has now.
  func isRenamed(_ capture: CaptureRecord) -> Bool { made(capture) != submodality }

  /// Returns the submodality that a picture of the newest response shows: the one it was made as or, if the response
  /// has several pictures, the part that the sensor reports.
  func shown(_ picture: CaptureRecord) -> Submodality {
    let made = made(picture)
    guard pictures.count + losses.count > 1, let word = picture.metadata["submodality"]?.plainText else { return made }
    return made.part(saidToBe: word) ?? made
  }

  /// Returns this item with the pictures of a response, as ``shown(_:)`` needs them; pictures not received yet count as
  /// lost.
  func answered(_ report: CaptureReport) -> BiometricItem {
    var item = self
    (item.capture, item.rest) = (report.records.first, Array(report.records.dropFirst()))
    item.losses = report.lost.merging(report.waiting) { first, _ in first }.map {
      LostPicture(act: 0, place: 0, captureID: $0.key, reason: $0.value)
    }
    return item
  }

  /// Returns the conditions of the parts that a picture shows; parts that the item does not have are present.
  func conditions(of shown: Submodality) -> [PartCondition] {
    shown.parts.enumerated().map { place, part in
      let own = submodality.parts.firstIndex { $0.isShown(by: part) }
      let index = own ?? (shown == submodality ? place : -1)
      return annotation.conditions.indices.contains(index) ? annotation.conditions[index] : .present
    }
  }

  /// A description of the pictures missing from the newest response; nil if none is missing.
  var lossWords: String? {
    guard let first = losses.first else { return nil }
    let count = losses.count + pictures.count
    return "\(losses.count) of \(count) pictures of the capture never came (\(ProblemText.short(first.reason)))"
  }

  /// Removes all captures.
  mutating func forgetCaptures() { (capture, rest, losses) = (nil, [], []) }
}

extension BodyPart {
  /// Returns true if a part of another submodality is this one: the same finger, or one side of a pair.
  fileprivate func isShown(by other: BodyPart) -> Bool {
    if let fingerPosition { return other.fingerPosition == fingerPosition }
    return other.fingerPosition == nil && (other.title == title || other.title.hasPrefix(title + " "))
  }
}

extension Submodality {
  /// Returns the part of this submodality that a sensor reports for a picture, such as a finger of a slap or one of two
  /// eyes; this submodality itself if the sensor reports that, nil for any other part.
  ///
  /// - Parameter word: Of the wire or of people.
  func part(saidToBe word: String) -> Submodality? {
    let said = Submodality(word: word)
    if said == self { return self }
    guard said.modality != nil, said.modality == modality, said.parts.count < parts.count else { return nil }
    let fingers = Set(parts.compactMap(\.fingerPosition))
    if !fingers.isEmpty {
      let saidFingers = said.parts.map(\.fingerPosition)
      return saidFingers.allSatisfy { $0.map(fingers.contains) ?? false } ? said : nil
    }
    guard parts.map(\.title) == ["Left", "Right"] else { return nil }
    // The sides of a pair, such as 'Left Iris' of both irises.
    let sides = parts.map { "\($0.title) " }
    return sides.contains(where: said.title.hasPrefix) ? said : nil
  }
}
