import PluginAPI

/// The addresses of the services, each of which can be changed by a setting.
struct ServiceEndpoints: Equatable, Sendable {
  /// One address: the setting's name, its purpose, and its default.
  enum Name: String, CaseIterable, Sendable {
    case rcsbSearch = "rcsb-search-url"
    case rcsbData = "rcsb-data-url"
    case rcsbFiles = "rcsb-files-url"
    case rcsbPages = "rcsb-pages-url"
    case soapQuery = "soap-query-url"
    case soapTitles = "soap-titles-url"
    case soapFiles = "soap-files-url"
    case soapPages = "soap-pages-url"
    case textSearch = "text-search-url"
    case textResults = "text-results-url"
    case pubchem = "pubchem-url"
    case pubchemSearch = "pubchem-search-url"
    case pubchemPages = "pubchem-pages-url"
    case alphafold = "alphafold-url"
    case alphafoldPages = "alphafold-pages-url"

    fileprivate var standard: String {
      switch self {
      case .rcsbSearch: "https://search.rcsb.org/rcsbsearch/v2/query"
      case .rcsbData: "https://data.rcsb.org/graphql"
      case .rcsbFiles: "https://files.rcsb.org/download"
      case .rcsbPages: "https://www.rcsb.org/structure"
      case .soapQuery: "http://www.pdb.org/pdb/services/pdbws"
      case .soapTitles: "http://www.rcsb.org/pdb/results/titles.jsp"
      case .soapFiles: "http://www.rcsb.org/pdb/files"
      case .soapPages: "http://www.rcsb.org/pdb/explore/explore.do"
      case .textSearch: "http://www.rcsb.org/pdb/search/navbarsearch.do"
      case .textResults: "http://www.rcsb.org/pdb/results/results.do"
      case .pubchem: "https://pubchem.ncbi.nlm.nih.gov/rest/pug"
      case .pubchemSearch: "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi"
      case .pubchemPages: "https://pubchem.ncbi.nlm.nih.gov/compound"
      case .alphafold: "https://alphafold.ebi.ac.uk/api/prediction"
      case .alphafoldPages: "https://alphafold.ebi.ac.uk/entry"
      }
    }

    fileprivate var summary: String {
      switch self {
      case .rcsbSearch: "search of the Protein Data Bank, version 2"
      case .rcsbData: "titles and abstracts of the Protein Data Bank, GraphQL"
      case .rcsbFiles: "folder of the Protein Data Bank's files"
      case .rcsbPages: "folder of the Protein Data Bank's pages"
      case .soapQuery: "search of the Protein Data Bank of 2008, SOAP keywordQuery"
      case .soapTitles: "titles of the Protein Data Bank of 2008, titles.jsp"
      case .soapFiles: "folder of the Protein Data Bank's files of 2008"
      case .soapPages: "page of the Protein Data Bank of 2008, explore.do"
      case .textSearch: "search of the Protein Data Bank of 2009, navbarsearch.do"
      case .textResults: "further results of that search, results.do"
      case .pubchem: "PubChem's programs: names, properties, structures"
      case .pubchemSearch: "search of PubChem by any text, E-utilities esearch"
      case .pubchemPages: "folder of PubChem's pages"
      case .alphafold: "predictions of the AlphaFold database, by UniProt accession"
      case .alphafoldPages: "folder of the AlphaFold database's pages"
      }
    }
  }

  private var addresses: [Name: String] = [:]

  /// Creates addresses from settings.
  ///
  /// - Parameter setting: Returns the value of a setting by its name.
  init(_ setting: (String) -> Value) {
    for name in Name.allCases { addresses[name] = setting(name.rawValue).text ?? name.standard }
  }

  subscript(name: Name) -> String { addresses[name] ?? name.standard }

  /// The settings that change the addresses.
  static let settings = Name.allCases.map {
    Parameter($0.rawValue, .url, $0.summary, defaultValue: .text($0.standard))
  }
}
