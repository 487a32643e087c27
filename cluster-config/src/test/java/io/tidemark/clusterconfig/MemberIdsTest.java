package io.tidemark.clusterconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The expected ids are those that etcd gives to the same members. */
class MemberIdsTest {
  private static long id(String token, OptionalLong time, String... urls) {
    return MemberIds.memberId(List.of(urls).stream().map(URI::create).toList(), token, time);
  }

  @Test
  void aMemberStartedWithoutFlagsHasTheIdsEveryoneKnows() {
    long member = id("etcd-cluster", OptionalLong.empty(), "http://localhost:2380");
    assertEquals("8e9e05c52164694d", MemberIds.hex(member));
    assertEquals("cdf818194e3a8c32", MemberIds.hex(MemberIds.clusterId(List.of(member))));
  }

  @Test
  void orderOfUrlsAndMembersDoesNotMatter() {
    long one = id("t", OptionalLong.empty(), "http://10.0.0.1:2380", "http://10.0.0.2:2380");
    long two = id("t", OptionalLong.empty(), "http://10.0.0.2:2380", "http://10.0.0.1:2380");
    assertEquals(one, two);
    assertEquals(
        MemberIds.clusterId(List.of(1L, -1L, 7L)), MemberIds.clusterId(List.of(-1L, 7L, 1L)));
  }

  @Test
  void foundersOnLoopback() {
    long m0 = id("tidemark-local", OptionalLong.empty(), "http://127.0.0.1:24801");
    long m1 = id("tidemark-local", OptionalLong.empty(), "http://127.0.0.1:24811");
    long m2 = id("tidemark-local", OptionalLong.empty(), "http://127.0.0.1:24821");
    assertEquals("15e2aec43b4ef6df", MemberIds.hex(m0));
    assertEquals("5c1fc7c18b234077", MemberIds.hex(m1));
    assertEquals("b1d5bd365670d602", MemberIds.hex(m2));
    assertEquals("8bc2755990badc08", MemberIds.hex(MemberIds.clusterId(List.of(m0, m1, m2))));
  }

  @Test
  void theTimeOfAnAdditionIsPartOfTheId() {
    // printf 'http://10.0.0.1:2380etcd-cluster1700000000' | sha1sum
    long added = id("etcd-cluster", OptionalLong.of(1_700_000_000L), "http://10.0.0.1:2380");
    assertEquals("26b9acd81aaeba4b", MemberIds.hex(added));
  }
}
