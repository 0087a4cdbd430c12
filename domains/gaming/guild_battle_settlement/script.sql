--==========================================================--
-- ads_game.ads_guild_battle_settle_1d
-- guild battle settlement: score, rank and reward per guild
-- owner   : live-ops data (mail rewards are sent from this)
-- 2021-12-20  zh.q   created
-- 2022-09-01  zh.q   GM score corrections
-- 2023-07-14  pablo  rewards per server group
--==========================================================--
set hive.exec.dynamic.partition=true;
set hive.exec.dynamic.partition.mode=nonstrict;
set hive.exec.max.dynamic.partitions=500;

insert overwrite table ads_game.ads_guild_battle_settle_1d partition (dt='${bizdate}', server_group)
select
	k.guild_id,
	k.guild_name,
	k.server_id,
	k.total_score,
	k.kill_cnt,
	nvl(pt.member_cnt, 0) as member_cnt,
	nvl(pt.member_list, '') as member_list,
	k.`rank`,
	case
		when ch.cheat_cnt > 0 then 'NONE'	-- proven cheaters get no reward
		when rw.item_name is null then 'JOIN_GIFT'
		else rw.item_name
	end as reward_item,
	case
		when ch.cheat_cnt > 0 then 0
		else nvl(rw.item_qty, 1)
	end as reward_qty,
	case
		when k.best_score is null or k.total_score > k.best_score then 1
		else 0
	end as is_record,
	k.server_group
from (
	select
		s.guild_id,
		s.guild_name,
		s.server_id,
		s.server_group,
		s.total_score,
		s.kill_cnt,
		-- best score of earlier battles
		(
			select max(h.total_score)
			from dws_game.dws_guild_history_df h
			where h.dt = '${bizdate-1}'
				and h.guild_id = s.guild_id
		) as best_score,
		-- equal score and kills share the rank and the reward
		dense_rank() over (
			partition by s.server_group
			order by s.total_score desc, s.kill_cnt desc
		) as `rank`
	from (
		select
			g.guild_id,
			g.guild_name,
			g.server_id,
			nvl(v.server_group, 'DEFAULT') as server_group,
			sum(u.score) as total_score,
			sum(u.kills) as kill_cnt
		from (
			-- battle log, a battle may be reported by both sides
			select
				l.guild_id,
				l.score,
				l.kills
			from (
				select
					b.battle_id,
					cast(j.guild_id as bigint) as guild_id,
					cast(j.score as int) as score,
					cast(j.kills as int) as kills,
					row_number() over (
						partition by b.battle_id, j.guild_id
						order by b.log_time desc, b.log_id desc
					) as rn
				from ods_game.ods_battle_log_di b
				lateral view json_tuple(b.payload, 'guild_id', 'score', 'kills') j as guild_id, score, kills
				where b.dt = '${bizdate}'
					and b.battle_type in ('siege', 'arena')
					and j.score rlike '^[0-9]+$'
			) l
			where l.rn = 1
			union all
			-- corrections booked by game masters
			select
				a.guild_id,
				a.score_delta as score,
				0 as kills
			from ods_game.ods_gm_adjust_di a
			where a.dt = '${bizdate}'
				and a.audit_status != 'REJECTED'
		) u
		inner join dim_game.dim_guild_df g
			on u.guild_id = g.guild_id
			and g.dt = '${bizdate}'
			and g.disband_time is null
		left join dim_game.dim_server_df v
			on g.server_id = v.server_id
			and v.dt = '${bizdate}'
			and v.open_date <= '${bizdate}'
		group by
			g.guild_id,
			g.guild_name,
			g.server_id,
			nvl(v.server_group, 'DEFAULT')
		having sum(u.score) > 0
	) s
) k
left join (
	-- members who took part, from the roster of each battle
	select
		b.guild_id,
		count(distinct m.player_id) as member_cnt,
		concat_ws(',', sort_array(collect_set(m.player_id))) as member_list
	from dwd_game.dwd_battle_roster_di b
	lateral view explode(split(b.player_ids, ',')) m as player_id
	where b.dt = '${bizdate}'
		and m.player_id <> ''
		and b.join_sec >= 60
	group by b.guild_id
) pt
	on k.guild_id = pt.guild_id
left join (
	-- reward table: position in the array is rank - 1, entries look like gem:500
	select
		r.server_group,
		p.pos + 1 as rank_no,
		split(p.entry, ':')[0] as item_name,
		cast(split(p.entry, ':')[1] as int) as item_qty
	from dim_game.dim_battle_reward_df r
	lateral view posexplode(r.rewards) p as pos, entry
	where r.dt = '${bizdate}'
		and r.is_online = true
) rw
	on k.server_group = rw.server_group
	and k.`rank` = rw.rank_no
left join (
	select
		c.guild_id,
		count(1) as cheat_cnt
	from dwd_game.dwd_cheat_case_di c
	where c.dt between '${bizdate-7}' and '${bizdate}'
		and c.verdict = 'GUILTY'
		and c.cheat_type not in ('chat', 'name')
	group by c.guild_id
) ch
	on k.guild_id = ch.guild_id
where k.`rank` <= 100
;
