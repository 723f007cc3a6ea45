import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS

@MainActor @Suite struct FilesControllerTests {
  let plugin = ScreensPlugin()
  let test: TestPlugin

  init() async throws {
    test = try await TestPlugin(plugin, isOffline: false)
    plugin.answer("files") { _ in
      [
        .table(
          Table(columns: [
            .init("path", .texts(["original/gel.png", "original/a\u{1B}[2J\u{202E}.csv"])),
            .init("size", .integers([2_500_000, 12])), .init("isFolder", .values([.bool(false), .bool(false)])),
          ]))
      ]
    }
  }

  private func files() async throws -> ScreenDriver {
    let screen = try test.screen(
      "files", ["perm-id": "DATA_SET.20260131-17", "account": "lab"], size: Size(width: 60, height: 8))
    await screen.settle()
    return screen
  }

  @Test func `files are listed with their sizes and sanitized names`() async throws {
    let screen = try await files()
    #expect(
      plugin.calls.last == .init(name: "files", arguments: ["data-set": "DATA_SET.20260131-17", "account": "lab"]))
    #expect(screen.text.contains("▌ original/gel.png"))
    #expect(screen.text.contains("2.5 MB"))
    #expect(screen.outline.items.allSatisfy { Harm.found(in: $0.text).isEmpty })
  }

  @Test func `a file is previewed as text, table or picture`() async throws {
    let table = Table(columns: [.init("a", title: "a\u{1B}", .texts(["1\u{9B}", "x"]))])
    for (answer, shown) in [
      (Value.text("line\u{1B}[31m"), "line\u{FFFD}[31m"),
      (.table(table), "1\u{FFFD}"),
      (.picture(Picture(width: 2, height: 2)), ""),
    ] {
      plugin.answer("preview") { _ in [answer] }
      let screen = try await files()
      screen.press("enter")
      await screen.settle()
      let request = try #require(screen.pushed.last)
      #expect(request.screen == "preview")
      let preview = try test.screen("preview", request.arguments, size: Size(width: 40, height: 8))
      #expect(preview.text.contains(shown))
      #expect(preview.frame.pictures.isEmpty == !shown.isEmpty)
      #expect(Harm.found(in: preview.text, allowing: ["\n"]).isEmpty)
    }
  }

  @Test func `a download asks for its target, and reports progress and the checksum`() async throws {
    let screen = try await files()
    screen.press("D")
    screen.answer("here.png")
    screen.receive(.progress("download", Progress("fetching", fraction: 0.5)))
    #expect(screen.controller.status.first?.text == "fetching 50 %")
    plugin.answer("download") { _ in [["file": "here.png", "bytes": 3, "checked": true]] }
    await screen.settle()
    #expect(
      plugin.calls.last
        == .init(
          name: "download",
          arguments: [
            "data-set": "DATA_SET.20260131-17", "path": "original/gel.png", "output": "here.png", "account": "lab",
          ]))
    let notices = screen.requests.compactMap { if case .status(let notice) = $0 { notice } else { nil } }
    #expect(notices.last?.message == "downloaded 'here.png'; its checksum is correct")
  }

  @Test func `a list that is not a table is ignored, and a download without a path is named`() async throws {
    let screen = try await files()
    screen.receive(.emitted("files", "x"))
    screen.receive(.emitted("files", [["path": "other.png"]]))
    #expect(screen.text.contains("▌ original/gel.png") && !screen.text.contains("other.png"))
    screen.receive(.emitted("download", [:]))
    let notices = screen.requests.compactMap { if case .status(let notice) = $0 { notice } else { nil } }
    #expect(notices.last?.message == "downloaded 'the file'; the server has no checksum to verify it")
  }

  @Test func `files that cannot be listed show the reason`() async throws {
    plugin.answer("files") { _ in
      throw ErrorReport(code: "openbis.no-data-set", kind: .notFound, "no data set 'x' was found")
    }
    let screen = try await files()
    #expect(screen.text.contains("no data set 'x' was found"))
    guard case .status(let notice)? = screen.requests.last else {
      Issue.record("the line of the host stays")
      return
    }
    #expect(notice.message == "the files are not available")
  }

  @Test func `a long reason is wrapped and shown completely`() async throws {
    plugin.answer("files") { _ in
      throw ErrorReport(
        code: "openbis.unreachable", kind: .network,
        "'searchFiles' of 'http://127.0.0.1:1' got no response: cannot reach '127.0.0.1': Connection refused",
        advice: "check your network, or try later")
    }
    let screen = try await files()
    let words = screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Connection refused; check your network, or try later press r to try again"), "\(words)")
  }
}
