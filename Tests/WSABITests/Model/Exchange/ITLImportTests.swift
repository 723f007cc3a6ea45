import PluginAPI
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Data exported as a transaction is imported again, as far as the standard has room for it.
@Suite struct ITLImportTests {
  private let envelope = ITLExport.Envelope(
    origin: "STATION7", controlNumber: "T-1", created: Instant(seconds: 1_763_712_000))

  private func image(_ compression: ExchangedImage.Compression, bits: Int = 8) -> ExchangedImage {
    ExchangedImage(
      bytes: (0..<(6 * bits / 8)).map { UInt8(28 + $0) }, compression: compression, width: 3, height: 2,
      bitsPerPixel: bits, pixelsPerInch: 500)
  }

  @Test func `fingers, faces and irises are imported with their submodality, notes and codes`() throws {
    let exported = Submodality.known.filter { [.finger, .face, .iris].contains($0.modality) }
    var chance = SeededChance(3)
    var items: [ExchangedItem] = []
    for submodality in exported {
      let conditions = submodality.parts.map { _ in PartCondition.allCases[chance.below(4)] }
      items.append(
        ExchangedItem(
          submodality: submodality,
          annotation: Annotation(conditions: conditions, notes: ["", "dry; cold"][chance.below(2)]),
          image: image(.none), captured: envelope.created))
    }
    let export = try ITLExport(Biography(), items, envelope)
    let read = ITLImport(try ITLTransaction(export.transaction.encoded()))
    #expect(read.leftOut.isEmpty)
    let kept = items.indices.filter { export.leftOut[$0] == nil }
    #expect(kept.count > 25 && read.items.count == kept.count)
    for (place, item) in zip(kept, read.items) {
      let before = items[place]
      #expect(item.image == before.image && item.day == "20251121" && item.source == "STATION7")
      // The standard has no codes for which of several: a 3-D or frontal face is a face.
      let isFace = before.submodality.modality == .face
      #expect(item.submodality == (isFace ? Submodality(wire: "Face2d") : before.submodality))
      #expect(item.annotation.notes == before.annotation.notes)
      // A part of a face that has different names on the two sides is not reported.
      if before.submodality.parts == item.submodality.parts {
        #expect(item.annotation.conditions == before.annotation.conditions)
      }
    }
  }

  @Test func `random biographies survive export and import except for control characters`() throws {
    var people = RandomPeople(seed: 21)
    func clean(_ text: String) -> String {
      String(decoding: text.utf8.filter { $0 >= 32 && $0 != 127 || [9, 10, 13].contains($0) }, as: UTF8.self)
    }
    for _ in 0..<500 {
      let biography = people.biography()
      let read = ITLImport(
        try ITLTransaction(try ITLExport(biography, [], envelope).transaction.encoded())
      ).biography
      for name in [\Biography.firstName, \.middleName, \.lastName, \.otherName] {
        #expect(read[keyPath: name] == clean(biography[keyPath: name]))
      }
      #expect(read.gender == clean(biography.gender) && read.notes == clean(biography.notes))
      #expect(read.height == clean(biography.height) && read.eyeColor == clean(biography.eyeColor))
      #expect(read.hairColor == clean(biography.hairColor) && read.race == clean(biography.race))
      #expect(read.aliases == biography.aliases.map(clean).filter { !$0.isEmpty })
      #expect(read.datesOfBirth == biography.datesOfBirth.map(clean).filter { !$0.isEmpty })
      #expect(read.placesOfBirth == biography.placesOfBirth.map(clean).filter { !$0.isEmpty })
    }
  }

  @Test func `imported names are split into first, middle and last`() throws {
    for (first, middle, last, other) in [
      ("Ada", "King", "Lovelace", ""), ("Ada", "", "Lovelace", ""), ("", "", "", "Sting"),
    ] {
      var biography = Biography()
      (biography.firstName, biography.middleName, biography.lastName, biography.otherName) = (
        first, middle, last, other
      )
      let read = ITLImport(try ITLTransaction(try ITLExport(biography, [], envelope).transaction.encoded())).biography
      #expect(read == biography)
    }
  }

  @Test func `colors and scales of other writers are read, and unsupported records are left out`() throws {
    let item = ExchangedItem(
      submodality: Submodality(wire: "Face2d"), annotation: Annotation(conditions: [.present], notes: ""),
      image: image(.none, bits: 24), captured: envelope.created)
    var transaction = try ITLExport(Biography(), [item], envelope).transaction
    #expect(ITLImport(transaction).items.first?.image == image(.none, bits: 24))
    let place = try #require(transaction.records[2].fields.firstIndex { $0.number == 8 })
    // Pixels of a centimetre.
    transaction.records[2].fields[place] = ITLField(8, "2")
    transaction.records[2].fields[place + 1] = ITLField(9, "197")
    #expect(ITLImport(transaction).items.first?.image?.pixelsPerInch == 500)
    transaction.records.append(ITLRecord(9, [ITLField(2, "03")]))
    #expect(ITLImport(transaction).leftOut.keys.sorted() == [4])
  }
}
