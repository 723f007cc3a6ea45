import PluginAPI

/// The parts of a controller that the interface reads without asking its process.
struct ScreenFace: Sendable, Equatable {
  var title: String
  var status: [StyledText.Run] = []
  var wantsText = false
  var isLoading = false

  /// A screen that has not answered.
  init(title: String) { self.title = title }

  /// Reads the face of a controller.
  @MainActor init(_ controller: any Controller) {
    (title, status) = (controller.title, controller.status)
    (wantsText, isLoading) = (controller.wantsText, controller.isLoading)
  }

  /// Creates a face from its value form.
  init(value: Value) throws {
    guard let title = value["title"].text else {
      throw ValueDecodingError.unexpectedShape(path: "title", expected: "text")
    }
    self.title = title
    status = try StyledText(value: value["status"]).lines.first ?? []
    wantsText = value["wantsText"].bool ?? false
    isLoading = value["isLoading"].bool ?? false
  }

  /// The face as a record.
  var value: Value {
    [
      "title": .text(title), "status": StyledText(lines: [status]).value, "wantsText": .bool(wantsText),
      "isLoading": .bool(isLoading),
    ]
  }
}
