import PluginAPI

/// The types of files that the pathway screen opens; the type of a file is determined by its content.
enum PathCaseFileTypes {
  static let all = [
    FileTypeDescription(
      "model or pathway in XML (SBML, KGML, SBGN-ML, GPML, BioPAX)",
      extensions: ["xml", "sbml", "kgml", "sbgn", "gpml", "owl", "xml.gz", "sbml.gz"],
      magic: Array("<?xml".utf8), screen: "pathway"),
    FileTypeDescription(
      "model or map in JSON (COBRA, Escher, scenario network)", extensions: ["json", "json.gz"],
      magic: Array("{".utf8), screen: "pathway"),
  ]
}
