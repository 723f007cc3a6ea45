import PluginAPI

/// What is read of a capture.
enum CaptureText {
  /// What the data is: by its first bytes, else as the service says.
  static func type(_ capture: CaptureRecord) -> String {
    capture.sniffedType ?? (capture.claimedType.isEmpty ? "unknown data" : capture.claimedType)
  }

  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\(tenths(bytes, of: 1000)) kB"
    default: "\(tenths(bytes, of: 1_000_000)) MB"
    }
  }

  private static func tenths(_ bytes: Int, of unit: Int) -> String {
    let tenths = (bytes * 10 + unit / 2) / unit
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The facts of a capture, without what the service says in its metadata.
  static func fields(_ capture: CaptureRecord) -> [Outline.Field] {
    var fields = [
      Outline.Field("Received", PersonText.time(capture.received)), Outline.Field("Type", type(capture)),
      Outline.Field("Size", size(capture.sizeInBytes)),
    ]
    if let sniffed = capture.sniffedType, !capture.claimedType.isEmpty, sniffed != capture.claimedType {
      fields.append(Outline.Field("Claimed", capture.claimedType))
    }
    // It is kept as it came, but nobody should think it was looked at.
    if capture.sniffedType == nil { fields.append(Outline.Field("Content", "of no format that is known")) }
    if let quality = capture.quality {
      fields.append(Outline.Field("Quality", "\(quality.score) of 100 (\(quality.scorer))"))
    }
    return fields
  }

  /// What the service says of a capture, a line each.
  static func metadata(_ capture: CaptureRecord) -> [Outline.Field] {
    capture.metadata.items.compactMap { item in
      item.value.plainText.map { Outline.Field(item.key, $0) }
    }
  }
}
