import PluginAPI

/// The result of an export.
struct ExportSummary: Model {
  /// The number of the person.
  let person: Int
  let format: String
  /// The path of the file or folder.
  let path: String
  /// The number of files.
  let files: Int
  /// The number of captures.
  let captures: Int
  /// The size of all files.
  let sizeInBytes: Int
  let leftOut: [Omission]

  static let typeName = WSABIValueType.exported
  static let fields = Fields<ExportSummary> {
    Field("person", \.person, "Number of the person")
    Field("format", \.format, "Format")
    Field("path", \.path, "Path of the file or folder")
    Field("files", \.files, "Number of files")
    Field("captures", \.captures, "Number of captures")
    Field("sizeInBytes", \.sizeInBytes, "Size of all files")
    Field("leftOut", \.leftOut, "Data that was left out")
  }
}

/// The result of an import.
struct ImportSummary: Model {
  /// The number of the new person.
  let person: Int
  /// The number of items.
  let items: Int
  /// The number of captures.
  let captures: Int
  /// The size of all captures.
  let sizeInBytes: Int
  let leftOut: [Omission]

  static let typeName = WSABIValueType.imported
  static let fields = Fields<ImportSummary> {
    Field("person", \.person, "Number of the new person")
    Field("items", \.items, "Number of items")
    Field("captures", \.captures, "Number of captures")
    Field("sizeInBytes", \.sizeInBytes, "Size of all captures")
    Field("leftOut", \.leftOut, "Data that was left out")
  }
}

/// Something that an export or an import leaves out.
struct Omission: Model {
  /// The item or record.
  let what: String
  let reason: String

  static let typeName = "wsabi.omission"
  static let fields = Fields<Omission> {
    Field("what", \.what, "Item or record")
    Field("reason", \.reason, "Reason")
  }
}
