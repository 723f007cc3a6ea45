import PluginAPI
import Testing

@testable import OpenBIS

@Suite struct FilePreviewTests {
  private func preview(_ name: String, _ text: String) -> FilePreview { FilePreview(name: name, Array(text.utf8)) }

  private func table(_ preview: FilePreview) -> Table? { if case .table(let table) = preview { table } else { nil } }
  private func text(_ preview: FilePreview) -> String? { if case .text(let text) = preview { text } else { nil } }

  @Test func `delimited files are previewed as tables`() {
    let found = table(preview("original/a.CSV", "gene,\"OD, 600\"\r\nlacZ,\"0.4 \"\"new\"\"\"\nshort\n"))
    #expect(found?.columns.map(\.title) == ["gene", "OD, 600"])
    #expect(found?.columns.map { $0.values.text(at: 0) } == ["lacZ", "0.4 \"new\""])
    #expect(found?.columns.map { $0.values.text(at: 1) } == ["short", ""])
    let named = table(preview("a.csv", "gene,,gene,column2\n1,2,3,4\n"))
    #expect(named?.columns.map(\.name) == ["gene", "column2", "gene-3", "column2-4"])
    #expect(table(preview("a.tsv", "a\tb\n1\t2"))?.rowCount == 1)
    #expect(table(preview("a.csv", "no fields\nat all")) == nil)
  }

  @Test func `only the first rows and columns of a large table are shown`() {
    let rows = (0..<5000).map { "\($0),x" }.joined(separator: "\n")
    #expect(table(preview("a.csv", "n,x\n" + rows))?.rowCount == FilePreview.mostRows)
    let wide = Array(repeating: "c", count: 500).joined(separator: ",")
    #expect(table(preview("a.csv", wide + "\n" + wide))?.columns.count == FilePreview.mostColumns)
  }

  @Test func `text is previewed as text, truncated after megabytes`() {
    #expect(text(preview("readme", "Grüße\n")) == "Grüße\n")
    let long = text(preview("log.txt", String(repeating: "line\n", count: 400_000)))
    #expect(long?.hasSuffix("… (2.0 MB in all)") == true)
  }

  @Test func `other bytes are shown in hexadecimal`() {
    let shown = text(FilePreview(name: "a.bin", [0, 1, 0x41, 0x1B, 0xFF]))
    #expect(shown == "00000000  00 01 41 1b ff " + String(repeating: " ", count: 33 + 1) + "··A··\n")
  }

  @Test func `hostile cells are sanitized`() {
    for hostile in HostileTexts.all {
      guard let table = table(preview("a.csv", "a,b\n\"\(hostile)\",x\n")) else { continue }
      let cells = table.columns.flatMap { column in
        [column.title] + (0..<table.rowCount).map { column.values.text(at: $0) }
      }
      #expect(cells.allSatisfy { Harm.found(in: $0).isEmpty }, "\(hostile.debugDescription)")
    }
  }
}
