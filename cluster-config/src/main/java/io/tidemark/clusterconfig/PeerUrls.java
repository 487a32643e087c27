package io.tidemark.clusterconfig;

import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Peer URLs that come with a request, under the rules of those on the command line. Pure. */
public final class PeerUrls {
  private PeerUrls() {}

  /** The URLs in their order as texts; empty if there is none, or one isn't a peer URL. */
  public static Optional<List<URI>> checked(List<String> texts) {
    List<String> problems = new ArrayList<>();
    List<URI> urls = new ArrayList<>();
    for (String text : texts) {
      List<URI> one = UrlList.parse(text, problems);
      if (one.size() != 1) {
        return Optional.empty();
      }
      urls.addAll(one);
    }
    urls.sort(Comparator.comparing(URI::toString));
    return urls.isEmpty() || !problems.isEmpty() ? Optional.empty() : Optional.of(urls);
  }
}
